/**
 * What the views show, as HTML.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { nowView } from "../../lib/board/views/now.ts";
import { waitGraph } from "../../lib/clarify/monitor/wait_graph.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { askWords } from "../gate/samples.ts";
import { HookSession } from "../hooks/hook_session.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HOSTILE, plant } from "./hostile_state.ts";
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

/** Every tag that Markdown may become. */
const MARKDOWN = `**b** *i* ~~s~~ \`c\` [l](u) ![i](u) a\\
b

# h\n## h\n### h\n#### h

- [ ] ul

2. ol

> q

---

|t|e|\n|-|-|\n|t||

\`\`\`
code
\`\`\`

# Acceptance criteria

- [x] one
- [ ] two
`;

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

Deno.test("board: no text of others becomes a tag or an attribute in any view", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  plant(temp, `plain ${MARKDOWN}`);
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
    if (page !== "figures") assertHas(html, "plain");
    known.set(page, { tags: new Set(tagsIn(html)), attributes: new Set(attributesIn(html)) });
  }
  for (const text of HOSTILE) {
    plant(temp, text);
    for (const page of pages) {
      const html = await shownIn(page);
      const { tags, attributes } = known.get(page)!;
      assertEquals(tagsIn(html).filter((name) => !tags.has(name)), [], `${page}: ${text}`);
      assertEquals(attributesIn(html).filter((name) => !attributes.has(name)), [], page);
      const shown = html.replace(/="[^"]*"/g, "").replace(/<textarea[^>]*>[^<]*/g, "");
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

Deno.test("board: the issues are filtered by words, number, type, priority, label and milestone", async () => {
  using temp = new TempWorkspace();
  const made = [["Pay by card", "type:bug,p1,shop", "1.0"], ["Refund", "type:story,p2", "2.0"]];
  for (const [title, labels, milestone] of made) {
    await temp.run(["issue", "create", "-t", title, "-l", labels, "--milestone", milestone]);
  }
  await using board = await TempBoard.start(temp);
  for (
    const [query, found] of Object.entries({
      "q=card": 1,
      "q=%232": 2,
      "type=bug": 1,
      "priority=p2": 2,
      "label=shop": 1,
      "milestone=2.0": 2,
    })
  ) {
    const html = await board.view(`issues?${query}`);
    assertEquals([html.includes("Pay by card"), html.includes("Refund")], [
      found === 1,
      found === 2,
    ], query);
  }
});

Deno.test("board: of many issues the first are shown, and more of each list on request", async () => {
  using temp = new TempWorkspace();
  for (let number = 1; number <= 130; number++) {
    const issue = { number, title: `Issue ${number}`, status: "Backlog", labels: [], comments: [] };
    temp.write(`.agentx/issues/${number}.json`, JSON.stringify(issue));
  }
  await using board = await TempBoard.start(temp);
  for (const as of ["", "as=tree&"]) {
    const html = await board.view(`issues?${as}`);
    assertEquals(html.match(/<li /g)?.length, 50, as);
    assert(html.includes("Issue 50<") && !html.includes("Issue 51<"), html);
    assertHas(html, `#issues?${as}rows=100"`.replaceAll("&", "&amp;"));
    assertHas(html, "80 more");
    const all = await board.view(`issues?${as}rows=200`);
    assertEquals([all.match(/<li /g)?.length, all.includes(" more</a>")], [130, false]);
    assertHas(await board.view(`issues?${as}q=%23107`), "Issue 107<");
  }
});

Deno.test("board: an issue shows its threads, its history and what is remembered of it", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Tests need TZ=UTC."]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("issue?n=1");
  for (const part of ["Pay by card", "CLR-1-001", "TZ=UTC", "opened it", "BLOCKED"]) {
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

Deno.test("board: six figures are plotted week by week with their targets, and the others stand in a table", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "human", "Both."]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("figures");
  const [, share] = /<h2>Resolved without a human<[^]*?<b>([^<]*)</.exec(html) ?? [];
  assertHas(share ?? html, "% (");
  assertHas(html, `<title>${html.match(/\d{4}-W\d\d/g)!.sort().at(-1)} ${share}</title>`);
  assertHas(html, 'class="target"');
  assertEquals(html.match(/class="figure"/g)?.length, 6);
  assertHas(html, "<td>Rounds</td>");
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

Deno.test("board: issues stand by priority, then the oldest first; what is done, the latest first", async () => {
  using temp = new TempWorkspace();
  for (const priority of ["p2", "p0", "", "p2", "p3"]) {
    const labels = priority === "" ? [] : ["-l", priority];
    await temp.run(["issue", "create", `Issue ${priority}`, ...labels]);
  }
  await using board = await TempBoard.start(temp);
  const order = async (view: string) =>
    Array.from((await board.view(view)).matchAll(/<span class="dim">#(\d+)</g), ([, n]) => n)
      .join();
  assertEquals(await order("issues"), "2,1,4,5,3");
  assertEquals(await order("issues?as=tree"), "2,1,4,5,3");
  for (const number of ["4", "2", "1"]) {
    await temp.run(["issue", "close", number, "--force", "--because", "x"]);
  }
  assertEquals(await order("issues"), "5,3,1,2,4");
});

Deno.test("board: Markdown is rendered, with its links and images as text beside their addresses", async () => {
  using temp = new TempWorkspace();
  const body =
    "## Goal\n\nPay **now**, see [it](https://a.example/b) ![pic](https://a.example/c.png)\n\n" +
    "| a |\n|---|\n| 1 |\n";
  await temp.run(["issue", "create", "Pay", "-b", body]);
  await temp.run(["issue", "comment", "1", "--comment", "- `one`\n- two"]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("issue?n=1");
  for (
    const part of [
      "<h3>Goal</h3>",
      "<strong>now</strong>",
      'see it <span class="dim">(https://a.example/b)</span>',
      '[pic] <span class="dim">(https://a.example/c.png)</span>',
      "<td>1</td>",
      "<li><code>one</code></li>",
    ]
  ) assertHas(html, part);
  assert(!/<img|href="(?!#)/.test(html), html);
});

Deno.test("board: nothing of a text is left out, however deep it is nested", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  for (const [index, mark] of ["> ", "- ", "1. ", "> - ", "**", "[", "_a "].entries()) {
    for (const [at, times] of [30, 98, 99, 100, 20_000].entries()) {
      const number = 1 + 5 * index + at;
      const issue = { number, title: "Deep", body: `${mark.repeat(times)}words` };
      temp.write(`.agentx/issues/${number}.json`, JSON.stringify(issue));
      const html = await board.view(`issue?n=${number}`);
      const shown = html.replace(/<textarea[^>]*>[^<]*/, "");
      assert(shown.includes("words"), `${mark} ${times}`);
    }
  }
});

Deno.test("board: the inbox says each thing once", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  await temp.run([...askWords({}), "--no-wait"]);
  await using board = await TempBoard.start(temp);
  const html = await board.view("inbox");
  for (const text of ["Which Stripe environment should I configure?", "Production mode (use"]) {
    assertEquals(html.split(text).length, 2, text);
  }
  assertEquals(html.match(/Database layer/g)?.length, 1);
  assertHas(html, "Question of engineer: PostgreSQL or SQLite?");
});

Deno.test("board: what a session wants to run stands in the inbox as it would be run", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  const command = "rm **a** `b` *c*";
  await session.fire("PermissionRequest", { tool_name: "Bash", tool_input: { command } });
  await using board = await TempBoard.start(temp);
  assertHas(await board.view("inbox"), command);
});

Deno.test("board: activity is told in sentences, with the titles of issues", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card"]);
  await temp.run(["issue", "edit", "1", "-s", "In Progress", "-l", "p1"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await using board = await TempBoard.start(temp);
  const text = (await board.view("activity")).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  for (
    const part of [
      "human opened #1 Pay by card 2",
      "human moved #1 Pay by card to In Progress, changed its labels",
      "engineer asked architect on #1 Pay by card (CLR-1-001)",
    ]
  ) assertHas(text, part);
});

Deno.test("board: a thread that a person decides offers the options of its escalation", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  await using board = await TempBoard.start(temp);
  const html = await board.view("thread?id=CLR-42-001");
  assert(/<button name="answer" value="a"[^>]*>\s*<kbd>a<\/kbd>/.test(html), html);
});

Deno.test("board: now shows a file that two live sessions change, with both", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  for (const [role, issue] of [["reviewer", "7"], ["engineer", "8"]]) {
    const session = new HookSession(temp, { id: `11111111-2222-4333-8444-55556666000${issue}` });
    await session.run(["here", "--as", role, "--issue", issue]);
    const input = { tool_name: "Edit", tool_input: { file_path: `${temp.root}/src/a.ts` } };
    await session.fire("PostToolUse", { cwd: temp.root, ...input });
  }
  const text = (await board.view("now")).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  assert(
    /src\/a.ts &middot; reviewer@claude-0007 #7 .* and engineer@claude-0008 #8/.test(text),
    text,
  );
});

/** The words of a view, without its tags. */
async function wordsOf(board: TempBoard, path: string): Promise<string> {
  return (await board.view(path)).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

Deno.test("board: an issue that waits for a person says so first, and links what it waits for", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  for (const title of ["Pay by card", "Rotate the keys"]) {
    await temp.run(["issue", "create", title]);
  }
  await temp.run(["issue", "deps", "1", "--on", "2"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await using board = await TempBoard.start(temp);
  for (const view of ["issue?n=1", "issues", "issues?as=tree"]) {
    assertHas(await wordsOf(board, view), "Needs you CLR-1-001 BLOCKED Waits for #2");
    const [, blocked] = /<p class="blocked">([^]*?)<\/p>/.exec(await board.view(view))!;
    for (const at of ["thread?id=CLR-1-001", "issue?n=2"]) assertHas(blocked, `<a href="#${at}">`);
  }
});

Deno.test("board: an issue with parts has one status in columns and in the tree", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Checkout"]);
  for (const title of ["One", "Two"]) {
    await temp.run(["issue", "create", title, "--parent", "1"]);
  }
  await temp.run(["issue", "edit", "2", "-s", "In Progress"]);
  await using board = await TempBoard.start(temp);
  assertHas(await wordsOf(board, "issues?as=tree"), "#1 Checkout Backlog &middot; 0 of 2 done");
});

Deno.test("board: a question marks the option that the fallback takes, and says what becomes of it unanswered", async () => {
  for (
    const [blocker, marked] of [["missing_external_data", 1], ["security_decision", 0]] as const
  ) {
    using temp = new TempWorkspace();
    await temp.run([...askWords({ "blocker-type": blocker }), "--no-wait"]);
    await using board = await TempBoard.start(temp);
    const html = await board.view("inbox");
    const option = /value="a"[^>]*>(?:(?!<\/button>)[^])*data-until/;
    assertEquals([html.match(/data-until/g)?.length ?? 0, option.test(html)], [marked, marked > 0]);
    assertHas(html, `Do not answer: ${marked ? "use the fallback" : "nothing is assumed"}<`);
    assertHas(html, "Use this answer next time too");
  }
});
