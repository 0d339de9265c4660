/**
 * One run with everything switched on: git hooks, the guard, the sandbox, memory with the hooks of two hosts, a git
 * worktree below the top of its repository. A feature and a bug go from `issue create` to `workflow merge`, and
 * agents that should not be believed do their steps. A new feature adds its line here.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../gate/samples.ts";
import { nodeProgram } from "../node_program.ts";
import { terminalTest } from "../pty.ts";
import { TOKEN } from "../secrets.ts";
import { snapshotOf } from "../temp_workspace.ts";
import { Place } from "./place.ts";

// A sandbox shows nothing of a clone below /tmp; the package for Node is built elsewhere.
if (import.meta.url.startsWith("file:///tmp/")) console.warn("together is not tried on Deno here");
else terminalTest("together: everything switched on, on Deno", (test) => together(test));

terminalTest("together: everything switched on, on Node", async (test) => {
  const folder = Deno.makeTempDirSync({ dir: "/var/tmp", prefix: "agentx-bundle-" });
  try {
    await together(test, await nodeProgram(folder));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

async function together(test: Deno.TestContext, program?: readonly string[]): Promise<void> {
  using place = new Place(program);
  const before = configurationOf(place);
  const parts = {
    switchOn,
    refuseWrongThings,
    takeFeature,
    takeBug,
    askPeople,
    remember,
    pullTeammate,
    async remove() {
      await place.must(["setup", "all", "--remove"]);
      assertEquals(configurationOf(place), before);
    },
  };
  for (const [name, part] of Object.entries(parts)) {
    if (!await test.step(name, () => part(place))) return;
  }
}

/** What hosts read in the user's home. */
function configurationOf({ home }: Place): Record<string, string> {
  const all = Object.entries(snapshotOf(home));
  return Object.fromEntries(all.filter(([path]) => /^\/\.(?:claude|codex)/.test(path)));
}

/** Installs all that there is, in a worktree below the top of the repository. */
async function switchOn(place: Place): Promise<void> {
  const { main, folder, home } = place;
  place.git(main, "config", "core.hooksPath", ".githooks");
  await place.must(["init", "--here", "--agents"], { cwd: main });
  place.git(main, "add", "-A");
  place.git(main, "commit", "-qm", "chore: add agentx");
  place.git(main, "worktree", "add", "-q", "-b", "work", `${folder}/tree`);
  await place.must(["git-hooks", "install"]);
  await place.must(["setup", "claude", "--guard"]);
  await place.must(["setup", "codex"]);
  const agent = {
    command: ["node", `${home}/agent.mjs`],
    sandbox: "workspace",
    env: { TOGETHER_AGENTX: place.env.TOGETHER_AGENTX, DENO_DIR: place.env.DENO_DIR },
  };
  for (const [key, value] of Object.entries(agent)) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    await place.must(["config", "set", "--global", `agents.default.${key}`, text]);
  }
  await place.type(["trust"], [/\[y\/N\]/, "y\r"]);
}

/** What no command accepts, and no hook lets through. */
async function refuseWrongThings(place: Place): Promise<void> {
  const { cwd, main } = place;
  assertEquals((await place.agentx(["config", "set", "mode", "github"])).code === 0, false);
  await place.must(["issue", "create", "-t", "Total of a cart", "-l", "type:feature"]);
  const merge = await place.agentx(["workflow", "merge", "1"]);
  assertEquals([merge.code, merge.err.includes("nothing of it was run")], [6, true], merge.err);
  for (const checkout of [cwd, main]) {
    place.write(`${checkout}/key.txt`, `${TOKEN}\n`);
    place.git(checkout, "add", "key.txt");
    const words = ["git", "commit", "-qm", "chore: add a key (#1)"];
    const { code, err } = await place.run(words, { cwd: checkout });
    assertEquals([code === 0, err.includes("key.txt")], [false, true], `in ${checkout}: ${err}`);
    place.git(checkout, "rm", "-qf", "key.txt");
  }
}

/** A feature, of which no agent is believed at first. */
async function takeFeature(place: Place): Promise<void> {
  const running = place.agentx(["workflow", "run", "1", "--json"]);
  const question = await waitFor(place, "ASK-001");
  assertHas(question.content, "Which currency do prices have?");
  await place.must(["answer", "ASK-001", "b"]);
  const { code, out, err } = await running;
  const [ask, prd, ...more] = outcomesIn(out);
  assertEquals([code, ask, prd, more.splice(0, 2).sort(), more], [
    ...[6, "prd: asked (1)", "prd: done (2)"],
    ["architecture: done (1)", "ux: left out (1)"],
    ["implement: not done (2)"],
  ], err);
  const stopped = await waitFor(place, "STP-1-implement");
  assertHas(stopped.content, "failed with exit code 1");
  const { loops: [loop] } = await place.json(["loop", "status", "1"]);
  assertEquals([loop.status, loop.iteration], ["active", 2]);
  assertHas(loop.history[0].summary, "implement changed no file");
  const change = await place.must(["review", "1", "implement", "--diff"]);
  assertHas(change, "\n    shop/test/total.test.js +5 -0\n");
  assertHas(change, "\n+export const total = ");
  place.write(`${place.home}/ready`, "");
  const again = await place.agentx(["workflow", "run", "1", "--json"]);
  assertEquals([again.code, outcomesIn(again.out)], [0, [
    ...["implement: done (2)", "review: done (1)"],
  ]], again.err);
  const { steps } = await place.json(["workflow", "1"]);
  const by = steps.filter(({ state }: { state: string }) => state === "done")
    .map(({ by }: { by: string }) => by);
  assertEquals(by, ["product-manager", "architect", "engineer", "reviewer"], "no person did it");
  assertHas(readIn(place, "docs/prd/PRD-1.md"), "Total of a cart");
  const { clarifications } = await place.json(["clarify", "--issue", "1"]);
  const asked = clarifications.map((each: Record<string, string>) => `${each.from} ${each.to}`);
  assertEquals(asked, ["engineer architect", "reviewer engineer"]);
  const merged = await place.must(["workflow", "merge", "1"]);
  assertFits(merged, /#1 changed \d+ files, \+\d+ -0, since \w{12}/);
  for (const subject of place.git(place.cwd, "log", "--format=%s", "main..").split("\n")) {
    assertFits(subject, /^Merge |^(?:feat|chore)\([\w-]+\): .*(?:\(#1\)|memory)$/);
  }
}

/** A bug: neither a comment nor a test that always passes fixes it, and a test that failed before does. */
async function takeBug(place: Place): Promise<void> {
  await place.must(["issue", "create", "-t", "The sum subtracts", "-l", "type:bug"]);
  const { code, out, err } = await place.agentx(["workflow", "run", "2", "--json"]);
  assertEquals([code, outcomesIn(out)], [6, ["fix: not done (2)"]], err);
  const { loops } = await place.json(["loop", "status", "2"]);
  assertHas(loops[0].history[0].summary, "no test is new or changed");
  const { content } = await waitFor(place, "STP-2-fix");
  assertHas(content, "passes without the change, too");
  await place.must(["answer", "STP-2-fix", "a"]);
  const again = await place.agentx(["workflow", "run", "2", "--json"]);
  const outcomes = ["fix: done (1)", "review: done (1)"];
  assertEquals([again.code, outcomesIn(again.out)], [0, outcomes], again.err);
  await place.must(["workflow", "merge", "2"]);
  assertFits(place.git(place.cwd, "log", "--format=%s"), /^fix\(fix\): the sum subtracts \(#2\)$/m);
  const source = readIn(place, "src/price.js");
  assertEquals(source.includes("// Adds."), false, "it began again from a clean tree");
  assertEquals((await place.run(["npm", "test"])).code, 0);
}

/** Questions of agents to each other, to a person, and a plan. */
async function askPeople(place: Place): Promise<void> {
  await place.must(["issue", "create", "-t", "Pay", "-l", "type:epic"]);
  const first = await place.agentx(["workflow", "run", "3", "--clarify-first"]);
  assertEquals(first.code === 0, false, "prose settles nothing");
  assertHas(first.err, "clarify-first waits for you: agentx inbox");
  const unread = await waitFor(place, "STP-3-clarify-first");
  assertHas(unread.content, "Cents, as integers.");
  for (const topic of ["Form", "Bank"]) {
    const words = ["ask", "investigator", "--issue", "3", "--from", "pm", "--non-blocking"];
    await place.must([...words, "--topic", topic, "Which one?"]);
  }
  const { clarifications } = await place.json(["clarify", "--issue", "3"]);
  assertEquals(clarifications.length, 2, "two topics are two questions");
  await place.must(["issue", "create", "-t", "Refund", "-l", "type:feature"]);
  for (const [session, id] of [["one", "ASK-002"], ["two", "ASK-003"]]) {
    const { code, err } = await place.agentx([...askWords({ issue: "4", session }), "--no-wait"]);
    assertEquals(code, 7, err);
    const { content } = await waitFor(place, id);
    assertEquals(content.includes("ASK-002"), id === "ASK-003", "the earlier answer is shown");
    await place.must(["answer", id, "a"]);
  }
  const { assumptions } = await place.json(["assumptions", "--issue", "4"]);
  const statuses = assumptions.map(({ status }: { status: string }) => status);
  assertEquals(statuses, ["superseded", "confirmed"], "the newer decision holds");
  const running = place.agentx(["workflow", "run", "3", "--json"]);
  const { deadline } = await waitFor(place, "ASK-004");
  assertEquals(deadline, null, "only a person decides about security");
  const { code, out, err } = await running;
  assertEquals([code, outcomesIn(out)], [7, ["prd: waits (1)"]], err);
  const plan = "**Group A: Form**\n- fields\n";
  await place.must(["issue", "split", "3"], { stdin: plan });
  const { steps } = await place.json(["workflow", "5"]);
  const next = steps.find(({ state }: { state: string }) => state === "ready").step;
  assertEquals(next, "implement", "a group is planned already");
  const done = await place.agentx(["loop", "complete", "5"]);
  assertHas(done.err, "agentx loop start 5");
  const empty = await place.agentx(["issue", "validate", "5", "engineer"]);
  assertHas(empty.out + empty.err, "implement changed no file");
  const finish = await place.must(["hook", "finish", "product-manager", "4"]);
  assertHas(finish, "agentx issue validate 4 product-manager");
}

/** A session of each host: what one learns, the other is told; the guard asks a person. */
async function remember(place: Place): Promise<void> {
  const decision = "We store every price in cents, because floats lose some of them.";
  const note = ["memory", "note", "--agent", "engineer", "--issue", "1"];
  await place.must([...note, "We chose the cache key: user id and tenant."]);
  const session = "11111111-2222-4333-8444-555566663f2a";
  const env = { CLAUDE_CODE_SESSION_ID: session };
  const call = async (host: string, event: string, fields: object, variables = env) => {
    const payload = { session_id: session, cwd: place.cwd, hook_event_name: event, ...fields };
    const stdin = JSON.stringify(payload);
    return await place.agentx(["hook", "host", host, event], { stdin, env: variables });
  };
  await call("claude", "SessionStart", { source: "startup" });
  await place.must(["here", "--as", "engineer", "--issue", "1"], { env });
  const tool = { tool_name: "Bash", tool_input: { command: "curl https://example.org" } };
  await call("claude", "PreToolUse", { ...tool, permission_mode: "dontAsk" });
  await waitFor(place, "GRD-001");
  const transcript = `${place.folder}/session.jsonl`;
  const texts = [["user", "Mend prices."], [
    "assistant",
    `Done.\n\n## Decisions\n\n- ${decision}\n`,
  ]];
  const lines = texts.map(([type, text], at) => ({
    ...{ type, sessionId: session, uuid: `u-${at}`, timestamp: "2026-02-27T10:00:00.000Z" },
    message: { role: type, content: [{ type: "text", text }] },
  }));
  place.write(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await call("claude", "SessionEnd", { transcript_path: transcript, reason: "exit" });
  const late = await place.agentx(["answer", "GRD-001", "once"]);
  assertHas(late.err + late.out, "session has ended");
  const { observations } = await place.json(["memory", "search", "price in cents"]);
  assert(observations.length > 0, "the session was captured");
  const other = { CODEX_SESSION_ID: "22222222-2222-4333-8444-555566663f2a" };
  await place.must(["here", "--as", "engineer", "--issue", "1"], { env: other });
  const start = { session_id: other.CODEX_SESSION_ID, source: "startup" };
  const told = await call("codex", "SessionStart", start, other as never);
  assertHas(told.out, "every price in cents");
}

/** Issues and memory are committed, and a teammate's branch brings more of both. */
async function pullTeammate(place: Place): Promise<void> {
  const { cwd, main, folder } = place;
  await place.must(["issue", "commit"], { cwd: main });
  place.git(folder, "clone", "-q", `${folder}/repo`, "mate");
  const mate = `${folder}/mate/shop`;
  const env = { HOME: `${folder}/mate-home` };
  place.write("mate-home/.gitconfig", "[user]\n\tname = Bob\n\temail = bob@example.org\n");
  await place.must(["issue", "create", "-t", "Of a teammate", "-l", "type:docs"], {
    cwd: mate,
    env,
  });
  await place.must(["issue", "commit"], { cwd: mate, env });
  await place.must(["issue", "create", "-t", "Of mine", "-l", "type:docs"]);
  await place.must(["issue", "commit"], { cwd: main });
  place.git(main, "pull", "-q", "--no-rebase", "--no-edit", `${folder}/mate`, "HEAD");
  const { issues } = await place.json(["issue", "list", "--all"]);
  const titles = issues.map(({ title }: { title: string }) => title);
  assert(titles.includes("Of a teammate") && titles.includes("Of mine"), titles.join());
  place.write(`${cwd}/notes.md`, "# Notes\n");
  place.git(cwd, "add", "-A");
  place.git(cwd, "commit", "-qm", "docs: add notes (#1)");
}

interface Entry {
  id: string;
  content: string;
  deadline: string | null;
}

/** Waits until something is in the inbox. */
async function waitFor(place: Place, id: string): Promise<Entry> {
  for (let tries = 0; tries < 40; tries++) {
    const { entries } = await place.json(["inbox"]);
    const found = entries.find((entry: Entry) => entry.id === id);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${id} was never in the inbox`);
}

/** One line for each step that ended. */
function outcomesIn(out: string): string[] {
  return out.trim().split("\n").filter((line) => line !== "").map((line) => {
    const { step, outcome, attempts } = JSON.parse(line);
    return `${step}: ${outcome} (${attempts})`;
  });
}

function readIn({ cwd }: Place, path: string): string {
  return Deno.readTextFileSync(`${cwd}/${path}`);
}

function assertHas(text: string, part: string): void {
  assert(text.includes(part), `there is no ${JSON.stringify(part)} in: ${text}`);
}

function assertFits(text: string, pattern: RegExp): void {
  assert(pattern.test(text), `${pattern} does not fit: ${text}`);
}
