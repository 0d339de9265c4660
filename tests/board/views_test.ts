/**
 * What the views show, as HTML.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { nowView } from "../../lib/board/views/now.ts";
import { waitGraph } from "../../lib/clarify/monitor/wait_graph.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { HookSession } from "../hooks/hook_session.ts";
import { sample } from "../memory/temp_store.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { assertHas, TempBoard } from "./temp_board.ts";

const VIEWS = [
  "inbox",
  "now",
  "issues",
  "issues?as=tree",
  "threads",
  "memory",
  "figures",
  "activity",
];

/** Not a view, but what `--out` writes. */
const FILE = "the file";

/** What a page would run, fetch or hide, in places where others write. */
const HOSTILE: readonly string[] = [
  `<img src="http://evil.example/x" onerror="alert(1)">`,
  `"><script>alert(1)</script>`,
  `' onmouseover='alert(1)`,
  `</textarea></title></style><iframe src="//evil.example">`,
  "<!-- --!><svg/onload=alert(1)>",
  "javascript:alert(1)",
  "\u202egnp.exe \u2066abc \u200b\u00ad",
  "\x1b[31m\x07",
];

/** What is in the HTML beside texts: tags, as a parser would find them. */
function tagsIn(html: string): string[] {
  return Array.from(html.matchAll(/<\/?([a-z!][^\s>/]*)/gi), ([, name]) => name.toLowerCase());
}

/** Names of attributes, where values are quoted. */
function attributesIn(html: string): string[] {
  return Array.from(
    html.matchAll(/<[a-z]+((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi),
    ([, all]) => all,
  )
    .flatMap((all) => Array.from(all.matchAll(/\s([a-z-]+)(?:="[^"]*")?/gi), ([, name]) => name));
}

/** Files as a merge or another program may have left them. */
function plant(temp: TempWorkspace, text: string): void {
  const timestamp = "2026-02-26T10:00:00.000Z";
  const types = ["question", "answer", "resolution", "escalation"] as const;
  const thread = types.map((type) => ({ round: 1, from: text, body: text, timestamp, type }));
  const record = sampleRecord({ status: "escalated", topic: text, thread });
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications: [record] }));
  const comments = [{ author: text, body: text }];
  const issue = { number: 42, title: text, body: text, labels: [text, `type:${text}`], comments };
  temp.write(".agentx/issues/42.json", JSON.stringify({ ...issue, status: text, assignee: text }));
  const observations = [sample(text, { issueNumber: 42 })];
  const updatedAt = observations[0].timestamp;
  const memory = { version: 1, issueNumber: 42, updatedAt, observations };
  temp.write(".agentx/memory/issue-42.json", JSON.stringify(memory));
  const since = new Date().toISOString();
  const permission = { what: text, since, worker: text, agent: text, issue: 42, process: null };
  const session = { version: 1, session: text, agent: null, issue: null, cwd: text, permission };
  const waits = { ...session, host: null, heard: [], deliveries: [] };
  temp.write(".agentx/state/sessions/hostile.json", JSON.stringify(waits));
  const line = { time: since, operation: text, agent: text, kind: text };
  temp.write(`.agentx/log/${line.time.slice(0, 10)}.jsonl`, `${JSON.stringify(line)}\n`);
}

Deno.test("board: no text of others becomes a tag or an attribute in any view", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  plant(temp, "plain");
  const pages = [...VIEWS, "issue?n=42", "thread?id=CLR-42-001", FILE];
  const shownIn = async (page: string) => {
    if (page !== FILE) return await board.view(page);
    const out = ["--out", `${temp.root}/b.html`, "--with", "threads,memory"];
    assertEquals((await temp.run(["board", ...out])).code, 0);
    return temp.read("b.html");
  };
  const known = new Map<string, { tags: Set<string>; attributes: Set<string> }>();
  for (const page of pages) {
    const html = await shownIn(page);
    if (page !== "now" && page !== "figures") assertHas(html, "plain");
    known.set(page, { tags: new Set(tagsIn(html)), attributes: new Set(attributesIn(html)) });
  }
  for (const text of HOSTILE) {
    plant(temp, text);
    for (const page of pages) {
      const html = await shownIn(page);
      const { tags, attributes } = known.get(page)!;
      assertEquals(tagsIn(html).filter((name) => !tags.has(name)), [], `${page}: ${text}`);
      assertEquals(attributesIn(html).filter((name) => !attributes.has(name)), [], page);
      const shown = html.replace(/="[^"]*"/g, "");
      // deno-lint-ignore no-control-regex -- that is what is looked for
      assert(!/[\u202a-\u202e\u2066-\u2069\u200b\x1b\x07]/.test(shown), `${page}: ${text}`);
    }
  }
});

Deno.test("board: empty views say what to do next", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  for (const view of VIEWS) {
    const next = view === "figures" ? "No data yet" : 'class="empty"';
    assertHas(await board.view(view), view.startsWith("issues") ? "Create" : next);
  }
});

Deno.test("board: a file that is damaged by hand is named, and all else works", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["issue", "create", "-t", "One"]);
  await using board = await TempBoard.start(temp);
  temp.write(temp.ledgerPath(42), "{ damaged");
  for (const view of ["inbox", "threads", "issues"]) {
    assertHas(await board.view(view), "issue-42.json");
  }
  assertHas(await board.view("issues"), "One");
  assertHas(await board.view("memory"), "Memory");
});

Deno.test("board: a change of a file by hand is told within a second", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await using board = await TempBoard.start(temp);
  const changes = board.changes();
  await changes.next();
  const beganMs = performance.now();
  const ledger = temp.ledger();
  ledger.clarifications[0].topic = "By hand";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  assertEquals((await changes.next()).done, false);
  await changes.return(undefined);
  assert(performance.now() - beganMs < 4_500); // without the system, it is looked at every 10 s
  assertHas(await board.view("threads"), "By hand");
});

Deno.test("board: the issues are filtered by words, number, type and priority", async () => {
  using temp = new TempWorkspace();
  for (const [title, label] of [["Pay by card", "type:bug,p1"], ["Refund", "type:story,p2"]]) {
    await temp.run(["issue", "create", "-t", title, "-l", label]);
  }
  await using board = await TempBoard.start(temp);
  for (
    const [query, found] of Object.entries({
      "q=card": 1,
      "q=%232": 2,
      "type=bug": 1,
      "priority=p2": 2,
    })
  ) {
    const html = await board.view(`issues?${query}`);
    assertEquals([html.includes("Pay by card"), html.includes("Refund")], [
      found === 1,
      found === 2,
    ], query);
  }
});

Deno.test("board: of many issues the newest are shown, and more of each list on request", async () => {
  using temp = new TempWorkspace();
  for (let number = 1; number <= 130; number++) {
    const issue = { number, title: `Issue ${number}`, status: "Backlog", labels: [], comments: [] };
    temp.write(`.agentx/issues/${number}.json`, JSON.stringify(issue));
  }
  await using board = await TempBoard.start(temp);
  for (const as of ["", "as=tree&"]) {
    const html = await board.view(`issues?${as}`);
    assertEquals(html.match(/<li /g)?.length, 100, as);
    assert(html.includes("Issue 130") && !html.includes("Issue 30<"), html);
    assertHas(html, `#issues?${as}rows=200"`.replaceAll("&", "&amp;"));
    assertHas(html, "30 more");
    const all = await board.view(`issues?${as}rows=200`);
    assertEquals([all.match(/<li /g)?.length, all.includes(" more</a>")], [130, false]);
    assertHas(await board.view(`issues?${as}q=%237`), "Issue 7<");
  }
});

Deno.test("board: an issue shows its threads, its history and what is remembered of it", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Tests need TZ=UTC."]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("issue?n=1");
  for (const part of ["Pay by card", "CLR-1-001", "TZ=UTC", "created", "BLOCKED"]) {
    assertHas(html, part);
  }
});

Deno.test("board: now says where a session works, and which issues it has claimed", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story"]);
  temp.write(".git/HEAD", "ref: refs/heads/pay-by-card\n");
  const session = new HookSession(temp);
  await session.run(["hook", "start", "engineer", "1"]);
  await session.run(["ready", "--claim", "engineer", "--issue", "1"]);
  await session.fire("PermissionRequest", { tool_name: "WebFetch" });
  await using board = await TempBoard.start(temp);
  const html = await board.view("now");
  assertHas(html, `claude, pay-by-card, ${temp.root}`);
  assertEquals(html.match(/#issue\?n=1/g)?.length, 2); // does, and holds
  assertHas(await board.view("inbox"), "Answer it in its own terminal");
});

Deno.test("board: figures are plotted week by week, with the target and a table that says the same", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "human", "Both."]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("figures");
  const [, share] = /<h2>Resolved without a human<[^]*?<b>([^<]*)</.exec(html) ?? [];
  const cell = `<td>${share}</td>`;
  assertHas(share ?? html, "% (");
  assertHas(html, cell);
  assertHas(html, 'class="target"');
  assertHas(html, ">100%</text>");
});

Deno.test("board: memory is a timeline up to a day, and what is in doubt is decided there", async () => {
  using temp = new TempWorkspace();
  const note = ["memory", "note", "--agent", "engineer", "--issue", "1"];
  temp.write("api/auth.py", "def login():\n    pass\n");
  await temp.run([...note, "`login` in api/auth.py needs a token."]);
  await using board = await TempBoard.start(temp);
  const today = new Date().toISOString().slice(0, 10);
  assertHas(await board.view("memory"), `<h2>${today} <small>1</small></h2>`);
  assertHas(await board.view("memory?to=2020-01-01"), "No matching");
  assertHas(await board.view("memory?as=doubt"), "Nothing is in doubt");
  temp.write("api/auth.py", "");
  const html = await board.view("memory?as=doubt");
  assertHas(html, "needs a token");
  assertHas(html, "The code that it names is gone");
  for (const words of ["memory review", "memory note", "memory retract", "memory delete"]) {
    assertHas(html, `data-do="${words}"`);
  }
  const [, keep] = /name="keep" value="([^"]+)"/.exec(html) ?? [];
  const { exitCode } = await board.act({ command: "memory review", input: { keep } });
  assertEquals(exitCode, 0);
  assertHas(await board.view("memory?as=doubt"), "Nothing is in doubt");
});

Deno.test("nowView() draws a deadlock, and its list says the same", async () => {
  const waits = [["engineer", "architect"], ["architect", "engineer"], ["tester", "engineer"]];
  const edges = waits.map(([from, to], index) => {
    const record = sampleRecord({ id: `CLR-42-00${index + 1}`, from, to, blocking: true });
    record.thread[0].from = from;
    return { ...record, status: "pending" as const };
  });
  const html = `${await nowView({ agents: [], graph: waitGraph(edges) })}`;
  assertEquals(html.match(/class="wait deadlock"/g)?.length, 2);
  assertEquals(html.match(/<span class="tag bad">deadlock/g)?.length, 2);
  assertEquals(html.match(/<rect /g)?.length, 3);
});
