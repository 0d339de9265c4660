import { assert, assertEquals } from "@std/assert";
import type { FakeIoOptions } from "../cli/fake_io.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { manifest, withCommand, writePackage } from "./plugin/packages.ts";

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

Deno.test("trust --withdraw takes back what a person agreed to", async () => {
  using temp = untrusted();
  await temp.run(["trust"], YES);
  const { code, out } = await temp.run(["trust", "--withdraw"]);
  assertEquals([code, out.includes("You have not agreed to this")], [0, true]);
  assertEquals([(await temp.run(ASK)).code, temp.has("runs")], [7, false]);
  assertEquals((await temp.run(["trust"], YES)).code, 0);
  assertEquals((await temp.json(["trust", "--print"])).isTrusted, true);
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

Deno.test("trust --print shows each hash that AGENTX_TRUST has to hold", async () => {
  using temp = untrusted();
  const task = { cron: "* * * * *", run: ["status"], enabled: true };
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: { task } }));
  const { out } = await temp.run(["trust", "--print"]);
  const [, schedules] = /\.agentx\/schedules\.json\n.+\n +Hash: ([0-9a-f]{64})\n/.exec(out)!;
  const [, others] = /Hash of all but packages and schedules:\n +([0-9a-f]{64})\n/.exec(out)!;
  Deno.env.set("CI", "true");
  const both = `${others},${schedules}`;
  for (const [given, ...exitCodes] of [[schedules, 0, 7], [others, 6, 0], [both, 0, 0]] as const) {
    Deno.env.set("AGENTX_TRUST", given);
    const codes = [
      (await temp.run(["schedule", "run"])).code,
      (await temp.run([...ASK, "--again"])).code,
    ];
    assertEquals<unknown>(codes, exitCodes, given);
  }
});

/** Runs at nine each day. */
const DAILY = { cron: "0 9 * * *", timeZone: "Europe/Berlin", enabled: true };

function schedule(temp: TempWorkspace, tasks: Record<string, object>): void {
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: tasks }));
}

Deno.test("trust shows what packages and schedules run, when, and with which permissions, before it asks", async () => {
  using temp = untrusted();
  const permissions = { read: ["docs"], network: ["example.com"], env: ["LANG"] };
  const package_ = withCommand("", { run: ["./dev.agentx/go.js", "a b"], permissions });
  writePackage(`${temp.root}/.agentx/plugins/shop`, package_);
  schedule(temp, {
    weekly: { ...DAILY, run: ["issue", "create", "-t", "Two words"] },
    idle: { ...DAILY, run: ["digest"], enabled: false },
  });
  const asked = await temp.run(["trust"], { terminal: true, stdin: "n\n" });
  const { out: printed } = await temp.run(["trust", "--print"]);
  for (const text of [asked.err, printed]) {
    for (
      const line of [
        "    command: go - Goes",
        "      runs: ./dev.agentx/go.js 'a b'",
        "      may: read docs; reach example.com; see the variables LANG",
        "    weekly: 0 9 * * * Europe/Berlin, agentx issue create -t 'Two words', for at",
        "    idle: 0 9 * * * Europe/Berlin, agentx digest, off",
      ]
    ) assert(text.includes(`${line}`), text);
  }
});

Deno.test("trust of schedules alone speaks of no agents, and shows no hash but theirs", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  for (const path of Object.keys(temp.snapshot())) {
    if (path.endsWith(".toml")) Deno.removeSync(`${temp.root}${path}`);
  }
  schedule(temp, { weekly: { ...DAILY, run: ["digest"] } });
  const { out } = await temp.run(["trust", "--print"]);
  assertEquals([out.includes("agents"), out.match(/[0-9a-f]{64}/g)?.length], [false, 1], out);
});

Deno.test("trust leaves out nothing of a long command of a package or a task", async () => {
  using temp = untrusted();
  const words = ["x".repeat(30_000), "THE-END"];
  const run = ["./dev.agentx/go.js", ...words];
  writePackage(`${temp.root}/.agentx/plugins/shop`, withCommand("", { run }));
  schedule(temp, { weekly: { ...DAILY, run: ["memory", "search", ...words] } });
  const { out } = await temp.run(["trust", "--print"]);
  const joined = out.replace(/\n */g, "");
  assertEquals(joined.split(`${words[0]} THE-END`).length, 3);
});

Deno.test("trust names what is new or has changed since the user agreed", async () => {
  using temp = untrusted();
  const run = ["digest"];
  const shop = `${temp.root}/.agentx/plugins/shop`;
  writePackage(shop, withCommand(""));
  schedule(temp, { weekly: { ...DAILY, run }, nightly: { ...DAILY, run } });
  const first = await temp.trust();
  assert(!first.err.includes("New or changed"), first.err);
  const changesOf = async () => (await temp.json(["trust", "--print"])).changes;
  assertEquals(await changesOf(), {});
  schedule(temp, {
    weekly: { ...DAILY, run: ["status"] },
    nightly: { ...DAILY, run },
    hourly: { ...DAILY, run },
  });
  writePackage(shop, { "dev.agentx/go.js": "changed()" });
  writePackage(`${temp.root}/.agentx/plugins/other`, {
    "plugin.json": manifest({ name: "other" }),
  });
  temp.write("agents/architect.sh", "echo evil");
  assertEquals(await changesOf(), {
    "file agents/architect.sh": "changed",
    "task weekly": "changed",
    "task hourly": "new",
    ".agentx/plugins/other": "new",
    ".agentx/plugins/shop": "changed",
    ".agentx/schedules.json": "changed",
  });
  const { err } = await temp.trust();
  assert(err.indexOf("    new      task hourly\n") < err.indexOf("[y/N]"), err);
  assert(err.includes("    changed  .agentx/plugins/shop\n"), err);
  assertEquals(await changesOf(), {});
});

Deno.test("trust lets no name begin a line of its own among what is new or not agreed to", async () => {
  using temp = untrusted();
  await temp.trust();
  const name = "agents/a\nnew      task calm";
  temp.write(name, "echo");
  const agents = { tester: { command: ["sh", name] } };
  temp.write(".agentx/config.json", JSON.stringify({ agents }));
  const { out } = await temp.run(["trust", "--print"]);
  assert(out.includes("\n    new      file agents/a"), out);
  assert(!out.includes("\n    new      task calm"), out);
});

Deno.test("trust and doctor say of each part whether it is agreed to", async () => {
  using temp = untrusted();
  schedule(temp, { weekly: { ...DAILY, run: ["digest"] } });
  const none = await temp.run(["trust", "--print"]);
  assert(none.out.includes("You have not agreed to this: none of it is run or used."), none.out);
  await temp.trust();
  schedule(temp, { weekly: { ...DAILY, run: ["status"] } });
  const { out } = await temp.run(["trust", "--print"]);
  const said = "not run or used; the rest is:\n    .agentx/schedules.json\n";
  assert(out.endsWith(said), out);
  assertEquals((await temp.json(["trust", "--print"])).agreement, {
    "agents, files": true,
    ".agentx/schedules.json": false,
  });
  const { findings } = await temp.json(["doctor"]);
  const { message } = findings.find(({ check }: { check: string }) => check === "trust");
  assert(message.includes(".agentx/schedules.json") && !message.includes("agents,"), message);
  assertEquals((await temp.run([...ASK])).code, 0);
});

Deno.test("AGENTX_TRUST is not passed on to agents", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo got $AGENTX_TRUST" },
    config: {},
  });
  assertEquals((await temp.json(ASK)).answer, "got");
});

Deno.test("trust says in words that a repository names a model and no program", async () => {
  const http = { url: "https://x.org/v1", model: "m" };
  using temp = new TempWorkspace({ config: { agents: { engineer: { http } } }, isTrusted: false });
  const { code, err } = await temp.run(["run", "engineer", "--issue", "42", "Do it."]);
  assertEquals(code, 6);
  assert(err.includes("it would ask the model at https://x.org/v1"), err);
});
