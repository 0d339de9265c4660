import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

/** What Claude Code and Codex set for the commands of their agents. */
const CLAUDE = {
  CLAUDECODE: "1",
  CLAUDE_CODE_SESSION_ID: "0b5c6f0e-7f5d-4f0e-9c80-6f0c7d9a3f2a",
};
const CODEX_ID = "01a20384-7e8f-74f3-84a5-63f87f170f13";
const CODEX = { CODEX_CI: "1", CODEX_SESSION_ID: CODEX_ID, CODEX_THREAD_ID: CODEX_ID };
const GEMINI = { GEMINI_CLI: "1" };

/** The question of the example, by whoever runs it. */
const ASK_AS_RUN = ASK.filter((word) => word !== "--from" && word !== "engineer");

/** In whose name a first question is asked, by its further words and the environment. */
const ASKERS: Record<string, [more: string[], env: Record<string, string>, from: string]> = {
  "a person for a role": [["--from", "engineer"], {}, "engineer"],
  "a session of Claude Code": [["--from", "engineer"], CLAUDE, "engineer@claude-3f2a"],
  "a session of Codex with --as": [["--as", "engineer"], CODEX, "engineer@codex-0f13"],
  "a session without an id": [["--from", "engineer"], GEMINI, "engineer"],
  "a session that has a name": [["--as", "engineer@2"], CLAUDE, "engineer@2"],
  "a session with a role in a variable": [
    [],
    { ...CLAUDE, AGENTX_AGENT: "engineer" },
    "engineer@claude-3f2a",
  ],
  "a session with a name in a variable": [
    ["--from", "engineer"],
    { ...CLAUDE, AGENTX_AGENT: "engineer@2" },
    "engineer@2",
  ],
  "a session that names itself within its role": [
    ["--as", "engineer@2"],
    { AGENTX_AGENT: "engineer" },
    "engineer@2",
  ],
};

for (const [who, [more, env, from]] of Object.entries(ASKERS)) {
  Deno.test(`clarify ask is ${from} for ${who}`, async () => {
    using temp = new TempWorkspace();
    const { err } = await temp.run([...ASK_AS_RUN, ...more], { env });
    assertEquals(temp.ledger().clarifications[0].from, from, err);
  });
}

const REFUSED: Record<string, [more: string[], env: Record<string, string>, field: string]> = {
  "no role": [[], CLAUDE, "--from"],
  "a worker that is not one": [["--as", "engineer@Claude_1"], {}, "--as"],
  "two roles": [["--as", "engineer", "--from", "reviewer"], CLAUDE, "--from"],
  "two sessions": [["--as", "engineer@1", "--from", "engineer@2"], CLAUDE, "--from"],
  "another session than the variable's": [
    ["--as", "engineer@1"],
    { AGENTX_AGENT: "engineer@2" },
    "--as",
  ],
};

for (const [what, [more, env, field]] of Object.entries(REFUSED)) {
  Deno.test(`clarify ask refuses ${what}, and writes nothing`, async () => {
    using temp = new TempWorkspace();
    const before = temp.snapshot();
    const { error } = await temp.json([...ASK_AS_RUN, ...more], { env });
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", field], error.message);
    assertEquals(temp.snapshot(), before);
  });
}

/** Names that are none, and what their message says is allowed. */
const BAD_NAMES: Record<string, string> = {
  "engineer@Claude_1":
    'at most 24 lowercase letters and digits after the "@", with "-" between them',
  "engineer@": "such as engineer@claude-3f2a or engineer@2",
  "Engineer": 'a role is lowercase letters, digits and "-", such as architect',
  "human@2": 'only agents have sessions; a human is just "human"',
};

for (const [name, rule] of Object.entries(BAD_NAMES)) {
  Deno.test(`--as, AGENTX_AGENT and a hook say how a name is written that is not ${name}`, async () => {
    using temp = new TempWorkspace();
    await temp.run(ASK);
    const before = temp.snapshot();
    const asNamed = await temp.run(["clarify", "resolve", "CLR-42-001", "--as", name]);
    const hook = await temp.run(["hook", "start", name, "42"]);
    for (const { code, err } of [asNamed, hook]) {
      assertEquals([code, err.includes(rule)], [2, true], err);
    }
    const set = await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."], {
      env: { AGENTX_AGENT: name },
    });
    const why = name === "human@2" ? "a human is not an agent" : rule;
    assertEquals([set.code, set.err.includes(why), set.err.includes("AGENTX_AGENT")], [
      2,
      true,
      true,
    ]);
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("an agent's session that says no role acts for the one that the clarification names", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK, { env: CLAUDE });
  await temp.run(["clarify", "answer", "CLR-42-001", "Both."], { env: CODEX });
  await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."], { env: CLAUDE });
  assertEquals(temp.ledger().clarifications[0].thread.map(({ from }) => from), [
    "engineer@claude-3f2a",
    "architect@codex-0f13",
    "engineer@claude-3f2a",
  ]);
});

/** Each variable that shows a session, alone. */
const SHOWN: Record<string, string> = {
  ...{ ...CLAUDE, ...CODEX, ...GEMINI },
  ...{ COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: CODEX_ID, OPENCODE: "1" },
  ...{ AGENTX_AGENT: "engineer", AGENTX_DEPTH: "1" },
};

for (const [variable, value] of Object.entries(SHOWN)) {
  Deno.test(`with ${variable} set nobody resolves an escalation, and is told why`, async () => {
    using temp = new TempWorkspace();
    await temp.run(ASK);
    await temp.run(["clarify", "escalate", "CLR-42-001"]);
    const before = temp.snapshot();
    const resolve = ["clarify", "resolve", "CLR-42-001", "Mine."];
    for (
      const [more, code] of [[[], 6], [["--as", "engineer"], 6], [["--as", "human"], 2]] as const
    ) {
      const options = { env: { [variable]: value }, terminal: true };
      const { code: is, err } = await temp.run([...resolve, ...more], options);
      assertEquals(is, code, err);
      const line = err.replace(/\s+/g, " ");
      assert(line.includes(`this is an agent's session, since ${variable} is set`), err);
      assert(line.includes("Run it in your own terminal, one that no agent has started"), err);
    }
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("settings of a person make no agent of them", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  const env = {
    CODEX_HOME: "/x",
    COPILOT_MODEL: "x",
    GEMINI_API_KEY: "x",
    CLAUDE_CONFIG_DIR: "/x",
  };
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."], { env })).code, 0);
});

Deno.test("two sessions do not act under one name while both are there", async () => {
  using temp = new TempWorkspace();
  const ask = [...ASK_AS_RUN, "--as", "engineer@2"];
  assertEquals((await temp.run(ask, { env: CLAUDE })).code, 7);
  const before = temp.snapshot();
  const others = [
    ["hook", "start", "engineer@2", "43"],
    ["ready", "--claim", "engineer@2"],
    ["state", "engineer@2", "--set", "stuck"],
  ];
  for (const words of [ask, ...others]) {
    const { code, err } = await temp.run(words, { env: CODEX });
    assertEquals([code, err.includes("another session has this name")], [2, true]);
    assert(err.includes("another one, such as engineer@0f13x"), err);
  }
  assertEquals(temp.snapshot(), before);
  assertEquals((await temp.run([...ask, "--again"], { env: CLAUDE })).code, 7);
  await temp.run(["hook", "finish", "engineer@2"], { env: CLAUDE });
  for (const id of ["CLR-42-001", "CLR-42-002"]) {
    assertEquals((await temp.run(ask, { env: CODEX })).code, 2);
    await temp.run(["clarify", "resolve", id, "Both."]);
  }
  assertEquals((await temp.run([...ask, "--again"], { env: CODEX })).code, 7);
});

/** A session whose id ends as that of {@linkcode CLAUDE}. */
const ALIKE = { ...CLAUDE, CLAUDE_CODE_SESSION_ID: "5f0e9c80-0000-4000-8000-000000003f2a" };

Deno.test("two sessions whose ids end alike are told so", async () => {
  using temp = new TempWorkspace();
  const other = ALIKE;
  assertEquals((await temp.run(ASK, { env: CLAUDE })).code, 7);
  assertEquals((await temp.run(ASK, { env: other })).code, 2);
  assertEquals((await temp.run([...ASK, "--as", "engineer@3f2ax"], { env: other })).code, 7);
});

Deno.test("a session that said it is done keeps its name for its open question", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  const other = ALIKE;
  await temp.run(["hook", "start", "engineer", "42"], { env: CLAUDE });
  await temp.run(ASK, { env: CLAUDE });
  await temp.run(["hook", "finish", "engineer"], { env: CLAUDE });
  const before = temp.snapshot();
  for (const words of [["hook", "start", "engineer", "43"], RESOLVE, ASK]) {
    const { code, err } = await temp.run(words, { env: other });
    assertEquals([code, err.includes(CLASH)], [2, true], err);
    assert(err.includes("such as engineer@3f2ax"), err);
    assert(err.includes("free once CLR-42-001, which it asked, is resolved"), err);
  }
  assertEquals(temp.snapshot(), before);
  // Its host goes on with it, and it with its work.
  assertEquals((await temp.run(["hook", "start", "engineer", "42"], { env: CLAUDE })).code, 0);
  await temp.run(["hook", "finish", "engineer"], { env: CLAUDE });
  // Another session of the role may end the question, and with it the name is free.
  const ended = await temp.run([...RESOLVE, "--as", "engineer@3f2ax"], { env: other });
  assertEquals([ended.code, temp.ledger().clarifications[0].status], [0, "resolved"], ended.err);
  assertEquals((await temp.run(["hook", "start", "engineer", "43"], { env: other })).code, 0);
});

Deno.test("a session that said it is done gives its issue back, and its name is free", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  await temp.run(["ready", "--claim", "engineer"], { env: CLAUDE });
  await temp.run(["hook", "finish", "engineer", "1"], { env: CLAUDE });
  const start = ["hook", "start", "engineer", "2"];
  assertEquals(temp.issue(1).assignee, null);
  assertEquals((await temp.run(start, { env: ALIKE })).code, 0);
});

Deno.test("a follow-up of an escalated question names the command that a human decides it with", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  const { code, err } = await temp.run(AGAIN);
  assertEquals(code, 6);
  const command = 'agentx answer CLR-42-001 a or "..."';
  assert(err.includes(`A human decides it first, with: ${command}`), err);
});

Deno.test("a follow-up of a question that is closed names the command that asks a new one", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(RESOLVE);
  const { err } = await temp.run(AGAIN);
  assert(err.includes("Ask a new question: agentx ask --issue 42 ..."), err);
});

const CLASH = "another session has this name";

const AGAIN = ["clarify", "ask", "CLR-42-001", "And pooling?"];
const RESOLVE = ["clarify", "resolve", "CLR-42-001", "Clear."];

/** What a session does to CLR-42-001 that only its asker or target may do. */
const MOVES: Record<string, string[]> = {
  "clarify ask ID": AGAIN,
  "clarify resolve": RESOLVE,
  "clarify escalate": ["clarify", "escalate", "CLR-42-001"],
  "clarify answer": ["clarify", "answer", "CLR-42-001", "Both.", "--as", "architect"],
};

for (const [what, words] of Object.entries(MOVES)) {
  Deno.test(`${what} is not for a session whose name another one has`, async () => {
    using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
    await temp.run(ASK, { env: CLAUDE });
    await temp.run(["hook", "start", "architect", "42"], { env: CLAUDE });
    const before = temp.snapshot();
    const { code, err } = await temp.run(words, { env: ALIKE });
    assertEquals([code, err.includes(CLASH)], [2, true], err);
    assertEquals(temp.snapshot(), before);
    assertEquals((await temp.run(words, { env: CLAUDE })).code === 2, false);
  });
}

Deno.test("clarify retry acts in nobody's name: any session may run a target again", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK, { env: CLAUDE });
  temp.write("agents/architect.sh", "cat >/dev/null; echo Both.");
  await temp.run(["config", "set", "agents.architect.command", '["sh", "agents/architect.sh"]']);
  assertEquals((await temp.run(["clarify", "retry", "CLR-42-001"], { env: ALIKE })).code, 0);
});

Deno.test("a follow-up says which session has its name from then on", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  await temp.run(ASK, { env: CODEX });
  await temp.run(["hook", "finish", "engineer"], { env: CODEX });
  assertEquals((await temp.run(AGAIN, { env: CLAUDE })).code, 0);
  const { code, err } = await temp.run(RESOLVE, { env: ALIKE });
  assertEquals([code, err.includes(CLASH)], [2, true], err);
});

Deno.test("hook finish of a session whose name another one has keeps what it learned, and no more", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK, { env: CLAUDE });
  await temp.run(["hook", "start", "engineer", "42"], { env: CLAUDE });
  const status = temp.read(".agentx/state/agent-status.json");
  const ledger = temp.ledger();
  const finish = ["hook", "finish", "engineer", "42", "--transcript", "-"];
  const stdin = "Decision: The ledger stays one JSON file per issue.\n";
  const { code, out, err } = await temp.run(finish, { env: ALIKE, stdin });
  assertEquals([code, err.includes(CLASH)], [0, true], err);
  assert(out.includes("Nothing is recorded for engineer@claude-3f2a. Remembered: 1."), out);
  assertEquals([temp.read(".agentx/state/agent-status.json"), temp.ledger()], [status, ledger]);
  const { observations } = await temp.json(["memory", "search", "ledger"]);
  assertEquals(observations.length, 1);
  // One that says no issue belongs to the project.
  const nowhere = await temp.run(finish.filter((word) => word !== "42"), { env: ALIKE, stdin });
  assertEquals(nowhere.code, 0, nowhere.err);
});

Deno.test("hooks, claims and state are those of the session", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  await temp.run(["issue", "create", "-t", "Pay by cash"]);
  const claim = ["ready", "--claim", "engineer"];
  const claimed = [];
  for (const env of [CLAUDE, CODEX]) claimed.push((await temp.json(claim, { env })).issue.assignee);
  assertEquals(claimed, ["engineer@claude-3f2a", "engineer@codex-0f13"]);
  const { agent } = await temp.json(["hook", "start", "engineer", "1"], { env: CLAUDE });
  assertEquals(agent, "engineer@claude-3f2a");
  await temp.run(["state", "engineer", "--set", "stuck"], { env: CODEX });
  const { agents } = await temp.json(["state"]);
  assertEquals(
    agents.map((state: { agent: string; status: string }) => `${state.agent} ${state.status}`),
    ["engineer@claude-3f2a working", "engineer@codex-0f13 stuck"],
  );
});

Deno.test("ready --release gives back what the session has, or its role", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  const release = ["ready", "--release", "engineer", "--issue", "1"];
  for (const env of [CLAUDE, {}]) {
    await temp.run(["ready", "--claim", "engineer"], { env });
    assertEquals((await temp.run(release, { env: CODEX })).code, env === CLAUDE ? 6 : 0);
    await temp.run(release, { env });
  }
});

Deno.test("issues of a session without a role are an agent's, not a human's", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"], { env: CLAUDE });
  const comment = ["issue", "comment", "1", "-c", "Seen."];
  await temp.run(comment, { env: CLAUDE });
  const { issue } = await temp.json([...comment, "--as", "reviewer"], { env: CODEX });
  assertEquals(issue.comments.map(({ author }: { author: string }) => author), [
    "agent@claude-3f2a",
    "reviewer@codex-0f13",
  ]);
});

Deno.test("the hooks of a nested agent do not act as the outer role", async () => {
  using temp = new TempWorkspace();
  await temp.run(["hook", "start", "engineer", "42"]);
  const before = temp.snapshot();
  const nested = { AGENTX_AGENT: "architect", AGENTX_DEPTH: "1" };
  for (const env of [nested, { ...nested, ...CLAUDE }, { AGENTX_DEPTH: "2" }]) {
    for (const words of [["start", "engineer", "43"], ["finish", "engineer", "42"]]) {
      const { state, recall } = await temp.json(["hook", ...words], { env });
      assertEquals([state, recall], [null, ""]);
    }
  }
  const { code, out } = await temp.run(["hook", "finish", "engineer"], { env: nested });
  assertEquals([code, out.includes("Nothing is recorded for engineer")], [0, true]);
  assertEquals(temp.snapshot(), before);
  const { state } = await temp.json(["hook", "start", "architect", "42"], { env: nested });
  assertEquals([state.status, state.issue], ["working", 42]);
});

Deno.test("a session goes on with the question of another of its role only once that is gone", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  await temp.run(ASK, { env: CLAUDE });
  for (const words of [AGAIN, RESOLVE]) {
    const { code, err } = await temp.run(words, { env: CODEX });
    assertEquals(code, 6);
    assert(err.includes("it is for engineer@claude-3f2a or a human, not for engineer@codex-0f13"));
    assert(err.includes("until its session has ended"), err);
  }
  await temp.run(["hook", "finish", "engineer"], { env: CLAUDE });
  assertEquals((await temp.run(AGAIN, { env: CODEX })).code, 0);
  const { agents } = await temp.json(["state", "engineer"]);
  assertEquals(
    agents.map((state: { agent: string; status: string }) => `${state.agent} ${state.status}`),
    ["engineer@claude-3f2a done", "engineer@codex-0f13 working"],
  );
  // Now it is the question of the session that asked last, and of no other while that is there.
  const third = { ...CLAUDE, CLAUDE_CODE_SESSION_ID: "5f0e9c80-0000-4000-8000-000000009c80" };
  const before = temp.ledger();
  for (const env of [CLAUDE, third]) {
    for (const words of [AGAIN, RESOLVE, ["clarify", "escalate", "CLR-42-001"]]) {
      const { code, err } = await temp.run(words, { env });
      assertEquals(code, 6, err);
      assert(err.includes("it is for engineer@codex-0f13 or a human"), err);
    }
  }
  assertEquals(temp.ledger(), before);
  const shown = (await temp.run(["clarify", "CLR-42-001"])).out;
  assert(shown.includes("[Round 1] architect -> engineer@claude-3f2a"), shown);
  assert(shown.includes("[Round 2] architect -> engineer@codex-0f13"), shown);
  assert(shown.includes("engineer@codex-0f13 may ask again or resolve"), shown);
  const listed = (await temp.run(["clarify"])).out;
  assert(/^ {2}CLR-42-001 {2}engineer@co/m.test(listed), listed);
  await temp.run(["hook", "start", "engineer", "43"], { env: CLAUDE });
  await temp.run(["clarify"]);
  assertEquals(temp.ledger().clarifications[0].status, "answered");
  const { out } = await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "engineer"], {
    env: CODEX,
  });
  assert(out.includes("[RESOLVED] engineer@codex-0f13"), out);
  const { from, thread } = temp.ledger().clarifications[0];
  assertEquals([from, ...thread.map(({ from }) => from)], [
    ...["engineer@claude-3f2a", "engineer@claude-3f2a", "architect"],
    ...["engineer@codex-0f13", "architect", "engineer@codex-0f13"],
  ]);
});

Deno.test("any session of a role goes on with a question that names only the role", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  await temp.run(ASK);
  for (const [question, env] of [["And pooling?", CLAUDE], ["Which version?", CODEX]] as const) {
    const { code, err } = await temp.run(["clarify", "ask", "CLR-42-001", question], { env });
    assertEquals(code, 0, err);
  }
  assertEquals((await temp.run(RESOLVE, { env: CLAUDE })).code, 0);
  assertEquals(temp.ledger().clarifications[0].status, "resolved");
});

Deno.test("a status file that cannot be read leaves each session its own questions", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  temp.write(".agentx/state/agent-status.json", "{");
  assertEquals((await temp.run(ASK, { env: CLAUDE })).code, 0);
  assertEquals((await temp.run(AGAIN, { env: CODEX })).code, 6);
  assertEquals((await temp.run(AGAIN, { env: CLAUDE })).code, 0);
  assertEquals(temp.read(".agentx/state/agent-status.json"), "{");
});

Deno.test("hooks and state mean the session that AGENTX_AGENT names", async () => {
  using temp = new TempWorkspace();
  const env = { AGENTX_AGENT: "engineer@x" };
  await temp.run(["hook", "start", "engineer", "42"], { env });
  await temp.run(["state", "engineer", "--set", "stuck"], { env });
  const { engineer } = JSON.parse(temp.read(".agentx/state/agent-status.json"));
  assertEquals(Object.keys(engineer.sessions), ["engineer@x"]);
  assertEquals([engineer.sessions["engineer@x"].status, engineer.base.status], ["stuck", "idle"]);
});
