import { assert, assertEquals } from "@std/assert";
import type { FakeIoOptions } from "../cli/fake_io.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const YES: FakeIoOptions = { terminal: true, stdin: "y\n" };
const ARCHITECT = '["sh","agents/architect.sh"]';
const SET = ["config", "set", "agents.architect.command", ARCHITECT];

function untrusted(script = "cat >/dev/null; echo run >>runs; echo yes"): TempWorkspace {
  return new TempWorkspace({ agents: { architect: script }, isTrusted: false });
}

Deno.test("clarify ask runs nothing before consent: the question stays open, exit 7", async () => {
  using temp = untrusted();
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, temp.has("runs")], [7, false]);
  assertEquals(temp.ledger().clarifications[0].status, "pending");
  assert(out.includes("CLR-42-001 is waiting"));
  assert(out.includes("is not agreed to here") && out.includes("agentx trust"), out);
  assertEquals(err, "");
});

Deno.test("clarify ask runs what a person agreed to, until it changes", async () => {
  using temp = untrusted();
  assertEquals((await temp.run(["trust"], YES)).code, 0);
  assertEquals((await temp.run(ASK)).code, 0);
  temp.write("agents/architect.sh", "echo evil");
  const { code, out } = await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals([code, out.includes("agentx trust")], [7, true]);
});

Deno.test("trust shows all that would be run, and its hash, before it asks", async () => {
  using temp = untrusted();
  const { code, out, err } = await temp.run(["trust"], YES);
  const { hash, files, isTrusted } = await temp.json(["trust", "--print"]);
  assertEquals([code, isTrusted, hash.length], [0, true, 64]);
  for (const text of ["architect", `${temp.root}/agents/architect.sh`, files[0].sha256, hash]) {
    assert(err.includes(text), text);
  }
  assert(err.endsWith("[y/N] ") && out.includes("You agreed"));
  assert(!out.includes(hash), "what was just shown is not shown again");
});

Deno.test("trust shows which variables a program gets for the sake of its name", async () => {
  const agents = {
    architect: { command: ["./tools/claude"] },
    tester: { command: ["./agent"] },
    reviewer: { preset: ["codex", "http"] },
  };
  using temp = new TempWorkspace({ config: { agents }, isTrusted: false });
  const { out } = await temp.run(["trust", "--print"]);
  assertEquals(out.split("\n").filter((line) => line.includes("variables")), [
    "    gets your variables ANTHROPIC_*",
    "    gets your variables CLAUDE_*",
    "    gets your variables OPENAI_*",
    "    gets your variables CODEX_*",
  ]);
});

for (const stdin of ["n\n", "\n", "", "yess\n", "no, y\n"]) {
  Deno.test(`trust takes ${JSON.stringify(stdin)} for no`, async () => {
    using temp = untrusted();
    const { code } = await temp.run(["trust"], { terminal: true, stdin });
    assertEquals([code, (await temp.json(["trust", "--print"])).isTrusted], [6, false]);
    await temp.run(ASK);
    assertEquals(temp.has("runs"), false);
  });
}

const NOBODY: Record<string, FakeIoOptions> = {
  "without a terminal": { stdin: "y\n" },
  "in the session of an agent of ours": { ...YES, env: { AGENTX_AGENT: "architect" } },
  "where the agent says that it is human": { ...YES, env: { AGENTX_AGENT: "human" } },
  "where the agent hides its name": { ...YES, env: { AGENTX_AGENT: "" } },
  "in the session of a host": { ...YES, env: { CLAUDECODE: "1" } },
};

for (const [name, options] of Object.entries(NOBODY)) {
  Deno.test(`trust is refused ${name}, and config set trusts nothing`, async () => {
    using temp = untrusted();
    const { code, err } = await temp.run(["trust", "--json"], options);
    const { error } = JSON.parse(err);
    assertEquals([code, error.code, error.details.path], [6, "UNTRUSTED", temp.root]);
    assertEquals((await temp.run(["trust", "--print"], options)).code, 0);

    using fresh = new TempWorkspace({ isTrusted: false });
    const set = await fresh.run(SET, options);
    assertEquals([set.code, set.err.includes("agentx trust")], [0, true]);
    assertEquals((await fresh.json(["trust", "--print"])).isTrusted, false);
  });
}

Deno.test("trust has nothing to ask where no agent is configured", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const { code, out, err } = await temp.run(["trust"]);
  assertEquals([code, err, out.includes("nothing to agree to")], [0, "", true]);
});

Deno.test("trust shows what it is agreed to without escape sequences, and leaves nothing out", async () => {
  const long = `${"x".repeat(30_000)}THE END`;
  const command = ["sh", "-c", "\u001b[2J\u202e\r", long];
  using temp = new TempWorkspace({
    config: { agents: { architect: { command } } },
    isTrusted: false,
  });
  const { err } = await temp.run(["trust"], { ...YES, env: { NO_COLOR: "1" } });
  for (const hidden of ["\u001b", "\r", "\u202e", "left out"]) {
    assert(!err.includes(hidden), hidden);
  }
  assert(err.replace(/\n */g, "").includes(long));
});

Deno.test("config set by a person at a terminal agrees to what was typed", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  temp.write("agents/architect.sh", "cat >/dev/null; echo yes");
  const { code, err } = await temp.run(SET, YES);
  assertEquals([code, err], [0, ""]);
  assertEquals((await temp.run(ASK)).code, 0);
  temp.write("agents/architect.sh", "echo evil");
  assertEquals((await temp.run([...ASK, "--again"])).code, 7);
});

Deno.test("config set by a person does not agree to what stood there before", async () => {
  using temp = untrusted();
  const set = ["config", "set", "agents.reviewer.command", '["true"]'];
  const { code, err } = await temp.run(set, YES);
  assertEquals([code, err.includes("agentx trust")], [0, true]);
  assertEquals((await temp.run(ASK)).code, 7);
  assertEquals(temp.has("runs"), false);
});

Deno.test("config set by a person does not agree to a file that changed since", async () => {
  using temp = untrusted();
  await temp.run(["trust"], YES);
  temp.write("agents/architect.sh", "echo evil >>runs");
  await temp.run(["config", "set", "agents.architect.timeoutSeconds", "5"], YES);
  assertEquals((await temp.run(ASK)).code, 7);
  assertEquals(temp.has("runs"), false);
});

Deno.test("config set of another setting neither needs nor gives consent", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const { err } = await temp.run(["config", "set", "memory.maxTokens", "9000"]);
  const kept = Array.from(Deno.readDirSync(`${temp.user.path}/state/agentx`), ({ name }) => name);
  assertEquals([err, kept], ["", ["births"]]);
});

Deno.test("config set says where consent cannot be kept, and keeps the setting", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  Deno.env.set("XDG_STATE_HOME", `${temp.root}/state`);
  const { code, err } = await temp.run(SET, YES);
  assertEquals([code, err.includes("is inside it")], [0, true]);
  assertEquals(JSON.parse(temp.read(".agentx/config.json")).agents.architect.command[0], "sh");
});

Deno.test("config --global set needs no consent, and is refused in an agent's session", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const command = ["config", "--global", "set", "agents.architect.command", '["echo","yes"]'];
  const refused = await temp.run([...command, "--json"], { env: { CLAUDECODE: "1" } });
  assertEquals([refused.code, JSON.parse(refused.err).error.code], [6, "UNTRUSTED"]);
  assertEquals((await temp.run(ASK)).code, 7);
  assertEquals((await temp.run(command)).code, 0);
  assertEquals((await temp.run(ASK)).code, 0);
});

Deno.test("AGENTX_TRUST with the hash that trust --print shows lets agents run", async () => {
  using temp = untrusted();
  const { out } = await temp.run(["trust", "--print"]);
  const hash = /Hash: ([0-9a-f]{64})/.exec(out)?.[1] ?? "";
  Deno.env.set("AGENTX_TRUST", hash);
  Deno.env.set("CI", "true");
  assertEquals((await temp.run(ASK)).code, 0);
  temp.write("agents/architect.sh", "echo evil");
  assertEquals((await temp.run([...ASK, "--again"])).code, 7);
});

Deno.test("AGENTX_TRUST is not passed on to agents", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo got $AGENTX_TRUST" },
    config: {},
  });
  assertEquals((await temp.json(ASK)).answer, "got");
});

Deno.test("What a repository would do is said in words where it names a model and no program", async () => {
  const http = { url: "https://x.org/v1", model: "m" };
  using temp = new TempWorkspace({ config: { agents: { engineer: { http } } }, isTrusted: false });
  const { code, err } = await temp.run(["run", "engineer", "--issue", "42", "Do it."]);
  assertEquals(code, 6);
  assert(err.includes("it would ask the model at https://x.org/v1"), err);
});
