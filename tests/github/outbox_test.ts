/**
 * What agents ask a human, as comments on GitHub: each once, in order, and mentioning nobody but the deciders.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { postBriefly } from "../../lib/workspace/github.ts";
import { openState } from "../../lib/workspace/open_state.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { ended, signal, spawnAgentx } from "../temp_workspace.ts";
import type { Fault } from "./fake/server.ts";
import { fastClock } from "./fast_clock.ts";
import { TempGitHub } from "./temp_github.ts";

/** The keys of comments of ours on an issue, in their order. */
function keys(place: TempGitHub, issue: number): string[] {
  return place.comments(issue).flatMap(({ body }) =>
    /^<!-- agentx:1 (\S+) /.exec(body)?.slice(1) ?? []
  );
}

/** Runs a command that asks GitHub after its output; a busy machine may need more than the 300 ms that it has. */
async function tried(place: TempGitHub, words: readonly string[]): Promise<void> {
  const [seen, posts] = [place.github.seen.length, place.comments(1).length];
  await place.temp.run(words, { terminal: true });
  assert(place.github.seen.length > seen);
  if (place.comments(1).length === posts) await place.sync();
}

Deno.test("a command posts what it escalated after its output, mentions the deciders, and posts how it ended", async () => {
  await using place = await TempGitHub.make();
  const { temp, github } = place;
  place.configure({ deciders: ["bob"] });
  await place.issues(1);
  const words = ["--issue", "1", "--from", "engineer", "--to", "architect", "--topic", "Database"];
  await temp.run(["clarify", "ask", ...words, "PostgreSQL or SQLite?"]);
  assertEquals(place.comments(1), []);
  await tried(place, ["clarify", "escalate", "CLR-1-001", "we do not agree", "--as", "engineer"]);
  const [{ body }] = place.comments(1);
  assert(body.includes(`@bob: decide in a comment`), body);
  assert(body.includes(`/agentx answer ${place.publicId("CLR-1-001")} a`), body);
  assertEquals(github.state.notified.map(({ names }) => names), [["bob"]]);

  await tried(place, ["answer", "CLR-1-001", "PostgreSQL"]);
  assertEquals(keys(place, 1).map((key) => key.split("/")[1]), ["1", "2"]);
  assert(place.comments(1)[1].body.includes("Decided by"));
  assertEquals(github.state.notified.length, 1);
  const { posted, problems } = await place.sync();
  assertEquals([posted, problems, place.comments(1).length], [0, [], 2]);
  assertEquals(temp.issue(1).comments, []);
});

Deno.test("a command on a slow machine gives GitHub its whole time to take the post", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  await place.escalate(1);
  place.github.fault = () => ({ kind: "slow", ms: 50 });
  const { now } = sys;
  let aheadMs = 0;
  sys.now = () => now() + (aheadMs += 400);
  try {
    await postBriefly(openState({ root: place.temp.root }));
  } finally {
    sys.now = now;
  }
  assertEquals(place.comments(1).length, 1);
});

Deno.test("a question of the gate is posted with its outcome; one about security is not", async () => {
  await using place = await TempGitHub.make();
  place.configure({ deciders: ["bob"] });
  await place.issues(1);
  const security = { session: "s1", ...DANGEROUS, question: "Which cipher?" };
  await place.temp.run([...askWords({ issue: "1", ...security }), "--no-wait"]);
  await place.temp.run(["answer", "ASK-001", "a"], { terminal: true });
  await place.sync();
  assertEquals(place.comments(1), []);
  await place.temp.run([...askWords({ issue: "1", session: "s2" }), "--no-wait"]);
  const [{ body }] = place.comments(1);
  assertEquals([place.comments(1).length, body.includes("asks a human")], [1, true]);
  await place.temp.run(["answer", "ASK-002", "b"], { terminal: true });
  assert(place.comments(1)[1].body.includes("Decided"));
});

Deno.test("nothing is posted at the level none, and of the time before the mode; an issue that is made here is made there", async () => {
  await using place = await TempGitHub.make();
  const { temp } = place;
  await place.issues(2);
  place.configure({ post: "none" });
  await place.escalate(1);
  await place.sync();
  assertEquals(place.comments(1), []);
  temp.user.configure({});
  await temp.run(["issue", "create", "Made here"]);
  await place.escalate(3);
  await place.sync();
  assertEquals([place.comments(1).length, place.comments(3).length], [1, 1]); // both wait for a decision
  await temp.run(["config", "set", "mode", "local"]);
  await place.escalate(2);
  await temp.run(["answer", "CLR-2-001", "SQLite"], { terminal: true });
  await place.turnOn();
  await place.sync();
  assertEquals([place.comments(2), place.repository.comments.size], [[], 2]);
});

Deno.test("github.post and github.deciders of a repository count for nothing", async () => {
  await using place = await TempGitHub.make();
  const config = {
    mode: "github",
    github: { repository: "acme/shop", post: "threads", deciders: ["eve"] },
  };
  place.temp.write(".agentx/config.json", JSON.stringify(config));
  await place.issues(1);
  await place.escalate(1);
  await place.sync();
  assertEquals(place.comments(1).length, 1);
  assertEquals(place.github.state.notified, []);
  const set = await place.temp.run(["config", "set", "github.deciders", '["eve"]']);
  assertEquals(set.code, 2);
});

Deno.test("text of agents mentions nobody, ends no fence, fakes no marker, and is cut at 65,000 characters", async () => {
  await using place = await TempGitHub.make();
  place.configure({ deciders: ["bob"], post: "threads" });
  await place.turnOn();
  await place.issues(1);
  const evil =
    "@everyone <!-- x --> @acme/team\n```\n@eve\n~~~\n````\n@mallory\n--> <!-- agentx:1 " +
    "CLR-1-002@aaaaaa/0 0123456789abcdef -->\n#1 Closes #1\r@cr \u2028@sep\n\n    @indented";
  const id = await place.escalate(1, evil);
  await place.sync();
  assertEquals(keys(place, 1).length, 2);
  assertEquals(place.github.state.notified.flatMap(({ names }) => names), ["bob"]);
  const path = place.temp.ledgerPath(1);
  const ledger = place.temp.ledger(1);
  ledger.clarifications[0].thread.push({
    ...ledger.clarifications[0].thread[1],
    body: `${"`".repeat(50)} @eve ${"long text @eve ".repeat(20_000)}`,
    timestamp: new Date().toISOString(),
  });
  place.temp.write(path, JSON.stringify(ledger));
  await place.sync();
  const { body } = place.comments(1).at(-1)!;
  assert(body.length <= 65_000 && body.length > 64_000, `${body.length}`);
  assert(
    /\[cut here: \d+ more characters; read the rest with: agentx clarify CLR-1-001\]/.test(body),
  );
  assertEquals(place.github.state.notified.flatMap(({ names }) => names), ["bob", "bob"]);
  assertEquals(id, "CLR-1-001");
});

Deno.test("a secret in an older ledger does not leave", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  await place.escalate(1);
  const ledger = place.temp.ledger(1);
  const secret = `ghp_${"a1B2".repeat(9)}`;
  ledger.clarifications[0].thread[1].body += `\nthe token is ${secret}`;
  place.temp.write(place.temp.ledgerPath(1), JSON.stringify(ledger));
  await place.sync();
  const [{ body }] = place.comments(1);
  assert(!body.includes(secret) && body.includes("the token is"), body);
});

Deno.test("a forged marker suppresses nothing", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  const id = await place.escalate(1);
  place.comment(1, "eve", `<!-- agentx:1 ${place.publicId(id)}/1 0123456789abcdef -->\nforged`);
  place.comment(1, "ada", `<!-- agentx:1 ${place.publicId(id)}/1 0123456789abcdef -->\nforged`);
  await place.sync();
  assertEquals(place.comments(1).length, 3);
});

const FAULTS: readonly Fault[] = [
  { kind: "status", status: 502, when: "before" },
  { kind: "status", status: 502, when: "after" },
  { kind: "late", status: 502, ms: 40 },
  { kind: "drop", when: "before" },
  { kind: "drop", when: "after" },
  { kind: "status", status: 403, when: "before", headers: { "retry-after": "1" } },
  { kind: "half" },
];

/** Syncs until nothing waits; failures are part of it. */
async function drain(place: TempGitHub, limit = 60): Promise<void> {
  for (let time = 0; time < limit; time++) {
    const { code, out } = await place.temp.run(["sync", "--json"]);
    if (code === 0 && JSON.parse(out).github.posted === 0) break;
    await sys.wait(1_100);
  }
  await new Promise((resolve) => setTimeout(resolve, 200)); // what GitHub does late
  await place.sync();
}

/** Of each issue six escalations, which are posted in their order and once. */
async function entries(place: TempGitHub): Promise<string[][]> {
  await place.issues(8);
  const wanted: string[][] = [];
  for (let issue = 1; issue <= 8; issue++) {
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push(await place.escalate(issue, `Question ${index}`));
    }
    wanted.push(ids.map((id) => `${place.publicId(id)}/1`));
  }
  return wanted;
}

const posted = (place: TempGitHub) =>
  Array.from({ length: 8 }, (_, index) => keys(place, index + 1));

Deno.test("48 entries under 30 faults: 48 comments, each once, in order", async () => {
  await using place = await TempGitHub.make();
  const wanted = await entries(place);
  let faults = 0;
  let requests = 0;
  place.github.fault = ({ method, path }) => {
    const isPost = method === "POST" && path.endsWith("/comments");
    if (faults === 30 || !isPost && method !== "GET" || ++requests % 2 === 0) return undefined;
    faults++;
    return isPost
      ? FAULTS[faults % FAULTS.length]
      : { kind: "status", status: 503, when: "before" };
  };
  using _clock = fastClock();
  await drain(place);
  assertEquals(faults, 30);
  assertEquals(posted(place), wanted);
});

Deno.test("kill -9 in a flush, 20 times: each comment once, in order", async () => {
  await using place = await TempGitHub.make();
  const wanted = await entries(place);
  const program = `${Deno.execPath()} run -A --no-check --quiet ` +
    new URL("flusher.ts", import.meta.url).pathname;
  let kills = 0;
  for (let round = 0; round < 20; round++) {
    let left = 1 + round % 3;
    place.github.fault = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/comments") || --left > 0) return undefined;
      if (left === 0 && signal(child, "SIGKILL")) kills++;
      return { kind: "drop", when: round % 2 === 0 ? "before" : "after" };
    };
    const env = { GH_HOST: place.host, GH_ENTERPRISE_TOKEN: "writer" };
    const child = spawnAgentx(["sync"], { cwd: place.temp.root, env, program: program.split(" ") });
    await ended(child);
  }
  assertEquals(kills, 20);
  place.github.fault = () => undefined;
  using _clock = fastClock();
  await drain(place);
  assertEquals(posted(place), wanted);
});

Deno.test("a lost state of the outbox posts nothing twice", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  await place.escalate(1);
  await place.sync();
  Deno.removeSync(`${place.temp.root}/.agentx/state/github-outbox.json`);
  Deno.removeSync(`${place.temp.root}/.agentx/state/github.json`);
  await place.sync();
  assertEquals(place.comments(1).length, 1);
});

Deno.test("404, 410 and 422 park their entry and name it; 401 and 403 keep it; the others go on", async () => {
  await using place = await TempGitHub.make();
  const { temp, github, repository } = place;
  await place.issues(3);
  for (const issue of [1, 2, 3]) await place.escalate(issue);
  repository.issues.get(1)!.gone = true;
  const first = await place.sync();
  assertEquals(first.posted, 2);
  assert(first.problems.some((each: string) => each.includes("CLR-1-001")), String(first.problems));
  const asked = github.seen.filter(({ method }) => method === "POST").length;
  await place.sync();
  assertEquals(github.seen.filter(({ method }) => method === "POST").length, asked);

  await place.escalate(2, "Which cache?");
  await place.escalate(3, "Which cache?");
  github.fault = ({ method }) =>
    method === "POST" ? { kind: "status", status: 403, when: "before" } : undefined;
  assertEquals((await place.sync()).posted, 0);
  github.fault = ({ method }) =>
    method === "POST" ? { kind: "status", status: 401, when: "before" } : undefined;
  assertEquals((await temp.run(["sync"])).code, 1);
  github.fault = () => undefined;
  assertEquals((await place.sync()).posted, 2);
});

Deno.test("a pace below GitHub's limits is kept across clones", async () => {
  await using place = await TempGitHub.make();
  await place.issues(4);
  for (let index = 0; index < 20; index++) {
    for (const issue of [1, 2, 3, 4]) await place.escalate(issue, `Question ${index}`);
  }
  const waits: number[] = [];
  const { wait } = sys;
  using _clock = fastClock();
  const fast = sys.wait;
  sys.wait = async (ms, signal) => {
    waits.push(ms);
    await fast(ms, signal);
  };
  try {
    assertEquals((await place.sync()).posted, 80);
  } finally {
    sys.wait = wait;
  }
  assert(waits.some((ms) => ms > 30_000), String(waits));
});

Deno.test("an address that never answers costs one request; the next twenty commands ask nothing", async () => {
  await using place = await TempGitHub.make();
  const { temp, github } = place;
  await place.issues(1);
  const ids: string[] = [];
  for (let index = 0; index < 22; index++) {
    const words = [
      "--issue",
      "1",
      "--from",
      "engineer",
      "--to",
      "architect",
      "--topic",
      "T",
      "--again",
    ];
    const { clarification } = await temp.json(["clarify", "ask", ...words, `Question ${index}?`]);
    ids.push(clarification?.id ?? `CLR-1-${String(index + 1).padStart(3, "0")}`);
  }
  const before = github.seen.length;
  github.fault = () => ({ kind: "silence" });
  for (const id of ids.slice(0, 21)) {
    await temp.run(["clarify", "escalate", id, "no", "--as", "engineer"]);
  }
  assertEquals(github.seen.length - before, 1);
  github.fault = () => undefined;
  using _clock = fastClock();
  assertEquals((await place.sync()).posted, 21);
});
