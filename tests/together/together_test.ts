/**
 * One run with everything switched on: an agent of the Agent Client Protocol, git hooks, the guard, the sandbox, memory
 * with the hooks of two hosts, a git worktree below the top of its repository, a git remote that machines share. A feature
 * and a bug go from `issue create` to `workflow merge`, and agents that should not be believed do their steps. A new
 * feature adds its line here.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../gate/samples.ts";
import { FakeGitHub } from "../github/fake/server.ts";
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
    ...program === undefined ? {} : { explainLines }, // once is enough
    askPeople,
    remember,
    editAndShow,
    openInEditor,
    pullTeammate,
    share,
    workOnGitHub,
    async remove() {
      await place.must(["trust", "--withdraw"]);
      assertEquals((await place.agentx(["plugin", "run", "greeter", "hello", "who=Ada"])).code, 6);
      await place.must(["setup", "all", "--remove"]);
      assertEquals(configurationOf(place), before);
    },
  };
  for (const [name, part] of Object.entries(parts)) {
    if (!await test.step(name, () => part(place))) return;
  }
}

/** An edit names the words that it was made from, and the board as a file shows them. */
async function editAndShow(place: Place): Promise<void> {
  const { version, steps, threads } = await place.json(["issue", "view", "1"]);
  const states = steps.map(({ state }: { state: string }) => state);
  assertEquals([states.includes("done"), states.includes("ready")], [true, false]);
  assertEquals(threads.filter(({ status }: { status: string }) => status !== "answered"), []);
  const edit = ["issue", "edit", "1", "--body", "Prices **with** tax.", "--seen", version];
  await place.must(edit);
  assertEquals((await place.agentx(edit)).code, 6);
  const { undo } = await place.json(["undo"]);
  assertEquals((await place.json(["issue", "view", "1"])).version, version);
  await place.must(["undo", undo]);
  const assume = [
    "assumptions",
    "add",
    "-i",
    "1",
    "--from",
    "pm",
    "--because",
    "x",
    "--risk",
    "low",
  ];
  const { assumption } = await place.json([...assume, "--source", "codebase", "Prices are net"]);
  await place.must(["assumptions", "revert", assumption.id]);
  const { err } = await place.agentx([...assume, "--source", "codebase", "Prices are whole"]);
  assertHas(err, "1 of 1 earlier assumptions of this kind (codebase) proved wrong");
  await place.must(["board", "--out", `${place.home}/board.html`]);
  assertHas(Deno.readTextFileSync(`${place.home}/board.html`), "Prices <strong>with</strong> tax.");
}

/** The views of the editor find the workspace from a worktree, and show what is there. */
async function openInEditor(place: Place): Promise<void> {
  const script = new URL("./editor.ts", import.meta.url).pathname;
  const { out, err } = await place.run([
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    script,
    place.cwd,
  ]);
  const { "agentx.work": work, "agentx.memory": memory } = JSON.parse(out || "{}");
  assertEquals(work?.slice(0, 3), ["Agents", "Ready queue", "Workflows"], err);
  assertEquals(memory.some((label: string) => label.startsWith("#")), true, out);
}

/** What hosts read in the user's home. */
function configurationOf({ home }: Place): Record<string, string> {
  const all = Object.entries(snapshotOf(home));
  return Object.fromEntries(all.filter(([path]) => /^\/\.(?:claude|codex|qwen|pi)/.test(path)));
}

/** Installs all that there is, in a worktree below the top of the repository. */
async function switchOn(place: Place): Promise<void> {
  const { main, folder, home } = place;
  place.git(main, "config", "core.hooksPath", ".githooks");
  await place.must(["init", "--here", "--profile", "full"], { cwd: main });
  await place.must(["plugin", "new", "greeter"], { cwd: main });
  const task = {
    cron: "* * * * *",
    run: ["plugin", "run", "greeter", "hello", "who=Ada"],
    enabled: true,
  };
  place.write(`${main}/.agentx/schedules.json`, JSON.stringify({ schedules: { greet: task } }));
  place.git(main, "add", "-A");
  place.git(main, "commit", "-qm", "chore: add agentx");
  place.git(main, "worktree", "add", "-q", "-b", "work", `${folder}/tree`);
  await place.must(["git-hooks", "install"]);
  await place.must(["setup", "claude", "--guard"]);
  for (const host of ["codex", "qwen", "pi"]) await place.must(["setup", host]);
  const program = ["node", `${home}/agent.mjs`];
  const held = {
    sandbox: "workspace",
    env: { TOGETHER_AGENTX: place.env.TOGETHER_AGENTX, DENO_DIR: place.env.DENO_DIR },
  };
  const agents = {
    default: { command: program, ...held },
    reviewer: { preset: "acp", acp: [...program, "--acp"], ...held },
  };
  for (const [name, settings] of Object.entries(agents)) {
    for (const [key, value] of Object.entries(settings)) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      await place.must(["config", "set", "--global", `agents.${name}.${key}`, text]);
    }
  }
  await place.type(["trust"], [/\[y\/N\]/, "y\r"]);
  const { output } = await place.json(["plugin", "run", "greeter", "hello", "who=Ada"]);
  assertEquals(output, { greeting: "Hello, Ada!" });
  await place.must(["schedule", "run"]); // from now on the task is due each minute
  place.git(folder, "init", "-q", "--bare", "hub.git");
  place.git(main, "remote", "add", "origin", `${folder}/hub.git`);
  await place.type(["remote", "git"], [/\[y\/N\]/, "y\r"]);
}

/** Claims and questions of all that went before are at the remote, and no ref of ours is in the repository. */
async function share(place: Place): Promise<void> {
  const { main, folder } = place;
  let { runs } = await place.json(["schedule", "run"]);
  while (runs.length === 0) ({ runs } = await place.json(["schedule", "run"])); // within a minute
  assertEquals([runs[0].id, runs[0].exitCode], ["greet", 0], runs[0].output);
  const { problems } = await place.json(["sync"]);
  assertEquals(problems, []);
  const refs = place.git(`${folder}/hub.git`, "for-each-ref", "--format=%(refname)", "refs/agentx");
  assertHas(refs, "refs/agentx/claims/");
  assertHas(refs, "refs/agentx/machines/");
  const own = ["refs/agentx/claims", "refs/agentx/machines"];
  assertEquals(place.git(main, "for-each-ref", ...own), "");
}

/** The same repository in mode github: issues come, a claim and an escalation go there, an answer and a merge come back. */
async function workOnGitHub(place: Place): Promise<void> {
  const { main, folder } = place;
  await using github = await FakeGitHub.start({ prefix: "/api/v3" });
  const { state } = github;
  const repository = state.repository("acme/shop");
  state.token("writer", "ada");
  for (const login of ["ada", "bob"]) {
    state.account(login);
    repository.permissions.set(login, "write");
  }
  const { host, hostname } = new URL(github.url);
  place.write("bin/ssh", `#!/bin/sh\nexec git receive-pack ${folder}/hub.git\n`);
  Deno.chmodSync(`${folder}/bin/ssh`, 0o755);
  place.variables = { GH_HOST: host, GH_ENTERPRISE_TOKEN: "writer" };
  await place.must(["remote", "none"]);
  place.git(main, "remote", "set-url", "origin", `ssh://git@${hostname}/acme/shop.git`);
  await place.must(["config", "set", "--global", "github.deciders", '["bob"]']);
  await place.must(["config", "set", "github.repository", "acme/shop"]);
  await place.type(["config", "set", "mode", "github"], [/\[y\/N\]/, "y\r"]);
  const there = state.issue(repository, "bob", { title: "Pay by card", labels: ["type:bug"] });
  const { github: { imported: [number] } } = await place.json(["sync"]);

  await place.must(["ready", "--claim", "engineer"]);
  assert([...repository.refs.keys()].some((name) => name.startsWith("refs/agentx/claims/")));
  const words = [
    "clarify",
    "ask",
    "--issue",
    `${number}`,
    "--from",
    "engineer",
    "--to",
    "architect",
  ];
  await place.must([...words, "--topic", "Card", "--non-blocking", "Which one?"]);
  const id = `CLR-${number}-001`;
  await place.must(["clarify", "escalate", id]);
  await place.json(["sync"]);
  const [asked] = [...repository.comments.values()];
  assertHas(asked.body, "@bob: decide in a comment");
  const [named] = new RegExp(`${id}@[0-9a-f]{6}`).exec(asked.body)!;
  state.comment(repository, there, "bob", `/agentx answer ${named} Both`);
  const { github: { problems } } = await place.json(["sync"]);
  assertEquals(problems, []);
  const { clarifications: [decided] } = await place.json(["clarify", "--issue", `${number}`]);
  assertEquals(decided.status, "resolved");

  for (const step of ["fix", "review"]) {
    await place.must(["workflow", `${number}`, "--accept", step]);
  }
  place.git(place.cwd, "branch", `agentx/${number}-review`);
  repository.refs.set(`refs/heads/agentx/${there.number}`, "0".repeat(40)); // the fake has no git
  repository.refs.set("refs/heads/work", "1".repeat(40));
  const { pullRequest } = await place.json(["workflow", "merge", `${number}`, "--pr"]);
  const pull = repository.issues.get(pullRequest)!;
  assertHas(pull.body!, `${named}: Card\nBoth`);
  place.git(`${folder}/hub.git`, "rev-parse", `refs/heads/agentx/${there.number}`);
  state.merge(repository, pull);
  await place.must(["sync"]);
  assertEquals((await place.json(["issue", "view", `${number}`])).issue.status, "Done");
  assertEquals(github.problems, []);
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
  assertFits(place.git(place.cwd, "log", "--format=%s"), /^fix: the sum subtracts \(#2\)$/m);
  const source = readIn(place, "src/price.js");
  assertEquals(source.includes("// Adds."), false, "it began again from a clean tree");
  assertEquals((await place.run(["npm", "test"])).code, 0);
}

/** Of forty lines `why` names the known cause, and of those without one it claims nothing. */
async function explainLines(place: Place): Promise<void> {
  const { cwd } = place;
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  const commit = (name: string) => {
    place.write(`${cwd}/src/${name}.js`, numbers.map((n) => `// ${name} ${n}\n`).join(""));
    place.git(cwd, "add", `src/${name}.js`);
    place.git(cwd, "commit", "-qm", `chore: add ${name}`);
  };
  commit("plain");
  commit("rates");
  const path = "shop/src/rates.js";
  const prompts = { p1: { agent_id: { tool: "claude", id: "s1", model: "opus" } } };
  const noted = `${path}\n  p1 1-5\n---\n${JSON.stringify({ prompts })}`;
  place.git(cwd, "notes", "--ref=ai", "add", "-m", noted);
  const ranges = [{ start_line: 6, end_line: 10 }];
  const conversations = [{ contributor: { type: "ai", model_id: "m" }, ranges }];
  const vcs = { revision: place.git(cwd, "rev-parse", "HEAD") };
  const traces = `${place.folder}/tree/.agent-trace`;
  const trace = { vcs, files: [{ path, conversations }] };
  place.write(`${traces}/traces.jsonl`, `${JSON.stringify(trace)}\n`);

  const linesOf = (file: string, count: number) =>
    readIn(place, file).split("\n").flatMap((text, index) =>
      text === "" ? [] : [`${file}:${index + 1}`]
    ).slice(0, count);
  const ofSteps = [
    ...linesOf("docs/adr/ADR-1.md", 8),
    ...linesOf("docs/reviews/REVIEW-1.md", 6),
    ...linesOf("test/total.test.js", 4),
    ...linesOf("test/sum.test.js", 2),
  ];
  const ofSessions = linesOf("src/rates.js", 10);
  const ofNobody = linesOf("src/plain.js", 10);
  assertEquals([ofSteps.length, ofSessions.length, ofNobody.length], [20, 10, 10]);
  // deno-lint-ignore no-explicit-any -- a test looks into it
  const explain = async (lines: readonly string[]): Promise<any[]> => {
    const all = [];
    for (const line of lines) all.push(await place.json(["why", line]));
    return all;
  };
  const [steps, sessions, nobody] = await Promise.all([ofSteps, ofSessions, ofNobody].map(explain));
  const issues = steps.map(({ issue }) => issue.number);
  assertEquals(issues, [...Array(18).fill(1), 2, 2]);
  const decided = steps.map(({ decisions }) =>
    decisions.some(({ id, by }: Record<string, string>) => id === "ASK-001" && by === "human")
  );
  assertEquals(decided, issues.map((number) => number === 1));
  const writers = sessions.map(({ writtenBy }) => writtenBy.session ?? writtenBy.model);
  assertEquals(writers, [...Array(5).fill("s1"), ...Array(5).fill("m")]);
  const claims = nobody.map(({ issue, writtenBy, notes, decisions, steps }) => [
    ...[issue, writtenBy].filter((each) => each !== null),
    ...[...notes, ...decisions, ...steps],
  ]);
  assertEquals(claims, Array(10).fill([]));
  Deno.removeSync(traces, { recursive: true });
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
  const plain = await place.agentx(["workflow", "run", "3", "--json"]);
  assertEquals([plain.code, outcomesIn(plain.out)], [7, ["clarify-first: waits (0)"]], plain.err);
  await place.must(["answer", "STP-3-clarify-first", "Cents, as integers."]);
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
  const edit = { tool_name: "Edit", tool_input: { file_path: `${place.cwd}/src/price.js` } };
  await call("claude", "PostToolUse", edit);
  const reviewer = "33333333-2222-4333-8444-555566663f2b";
  const patch = "*** Begin Patch\n*** Update File: src/price.js\n*** End Patch";
  const both = await call("codex", "PostToolUse", {
    ...{ session_id: reviewer, tool_name: "apply_patch", tool_input: { command: patch } },
  }, { CODEX_SESSION_ID: reviewer } as never);
  assertHas(both.out, "engineer@claude-3f2a changed shop/src/price.js");
  const { sharedFiles } = await place.json(["status"]);
  assertEquals(sharedFiles.length, 1);
  const transcript = `${place.folder}/session.jsonl`;
  const texts = [["user", "Mend prices."], [
    "assistant",
    `Done.\n\n## Decisions\n\n- ${decision}\n- Each price rounds where it shows.\n`,
  ]];
  const lines = texts.map(([type, text], at) => ({
    ...{ type, sessionId: session, uuid: `u-${at}`, timestamp: "2026-02-27T10:00:00.000Z" },
    message: { role: type, content: [{ type: "text", text }] },
  }));
  place.write(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await call("claude", "SessionEnd", { transcript_path: transcript, reason: "exit" });
  const late = await place.agentx(["answer", "GRD-001", "once"]);
  assertHas(late.err + late.out, "the session that asked has ended");
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
