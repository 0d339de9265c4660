import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import type { Finding } from "../../lib/doctor/finding.ts";
import { memoryAlerts } from "../../lib/memory/alerts.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { TempRepository } from "../workspace/temp_repository.ts";

interface Examined {
  code: number;
  findings: Finding[];
  /** Those of one check. */
  of(check: string): Finding[];
}

async function examine(temp: TempWorkspace, ...argv: string[]): Promise<Examined> {
  const { code, out } = await temp.run(["doctor", "--json", ...argv]);
  const findings: Finding[] = JSON.parse(out).findings;
  return { code, findings, of: (name) => findings.filter(({ check }) => check === name) };
}

function levels(findings: readonly Finding[]): string[] {
  return findings.map(({ level }) => level);
}

function writeRecord(temp: TempWorkspace, changes: Parameters<typeof sampleRecord>[0] = {}): void {
  const ledger = { issueNumber: 42, clarifications: [sampleRecord(changes)] };
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
}

function minutesAhead(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

Deno.test("doctor finds nothing wrong with a sound workspace", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat" } });
  writeRecord(temp);
  const { code, findings } = await examine(temp);
  assertEquals([code, [...new Set(levels(findings))]], [0, ["ok"]]);
});

Deno.test("doctor prints what it looked at, what there is and what to do", async () => {
  using temp = new TempWorkspace();
  temp.write(temp.ledgerPath(7), "{ broken");
  const { code, out: wrapped, err } = await temp.run(["doctor"]);
  assertEquals([code, err], [1, ""]);
  const out = wrapped.replace(/\n {20}/g, ""); // temp folders have long names on some machines
  assert(out.startsWith(`  ok     workspace  ${temp.root}\n`), out);
  assert(/\n {2}fail {3}ledgers {4}Cannot read ".+issue-7\.json" in ?line ?1: ?/.test(out), out);
  assert(out.includes("The file was not changed; fix it"), out);
  assert(out.endsWith("\n\n  fail: 1, warn: 0\n"), out);
});

Deno.test("doctor fails where there is no workspace, and says how to make one", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx`, { recursive: true });
  const { code, findings } = await examine(temp);
  assertEquals([code, levels(findings)], [1, ["fail"]]);
  assert(findings[0].next?.includes("agentx init"));
});

Deno.test("doctor writes nothing unless it is told to repair", async () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  temp.write(`${temp.ledgerPath(7)}.lock`, '{"pid":');
  const before = temp.snapshot();
  await temp.run(["doctor"]);
  assertEquals(temp.snapshot(), before);
});

Deno.test("doctor names each ledger that it cannot read", async () => {
  using temp = new TempWorkspace();
  writeRecord(temp);
  for (const issue of [7, 8]) temp.write(temp.ledgerPath(issue), "{ broken");
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("ledgers"))], [1, ["ok", "fail", "fail"]]);
  assertEquals(of("ledgers")[0].message, "1 can be read, clarifications: 1");
});

Deno.test("doctor warns of a ledger under a name that nobody reads", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/clarifications/issue-042.json", "{}");
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("ledgers"))], [0, ["ok", "warn"]]);
});

for (
  const name of [
    "agent-interactions.json",
    "assumptions.json",
    "inbox-notified.json",
    "memory-uses.json",
    "transcripts/engineer-1709035100000-x7y8z9.jsonl",
  ]
) {
  Deno.test(`doctor reads ${name} as its owner does: damaged, or of a newer version`, async () => {
    for (const text of ["{}", '{ "version": 9 }', "[1", "null"]) {
      using temp = new TempWorkspace();
      temp.write(`.agentx/state/${name}`, text);
      const { code, out } = await temp.run(["doctor"]);
      assertEquals(code, 1, text);
      assert(/^ {2}fail +files /m.test(out), out);
    }
  });
}

Deno.test("doctor names a file of the state where it cannot be read", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/agent-status.json", "{ broken");
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("files"))], [1, ["ok", "fail"]]);
  assert(of("files")[1].message.includes("agent-status.json"));
});

for (const flags of [[], ["--fix"]]) {
  Deno.test(`doctor ${flags.join()} fails for memory of a newer version, and looks at the rest`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["memory", "note", "--agent", "engineer", "--issue", "42", "x"]);
    temp.write(".agentx/memory/issue-7.json", '{"version":99}');
    const { code, of } = await examine(temp, ...flags);
    assertEquals([code, levels(of("memory")), levels(of("files"))], [1, ["ok", "fail"], ["ok"]]);
    assert(of("memory")[1].message.includes("a newer agentx wrote it (version 99)"));
    assert(of("memory")[1].next?.startsWith("Update agentx"));
  });
}

Deno.test("doctor names each issue that it cannot read", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/issues/7.json", '{"number": 7}');
  temp.write(".agentx/issues/8.json", '{"number": 9}');
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("issues"))], [1, ["ok", "fail"]]);
  assert(of("issues")[1].message.includes("issues/8.json"));
});

Deno.test("doctor goes on after a configuration that cannot be read", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", '{"mode": "remote"}');
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("config")), levels(of("workflows"))], [1, ["fail"], ["ok"]]);
});

Deno.test("doctor names each workflow that cannot be read", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/workflows/bug.toml", "[[steps]]\nid = 1\n");
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("workflows"))], [1, ["fail"]]);
  assert(of("workflows")[0].message.includes("bug.toml"));
});

Deno.test("doctor fails where there are no workflows", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx/workflows`, { recursive: true });
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("workflows"))], [1, ["fail"]]);
});

Deno.test("doctor fails where the default workflow does not exist", async () => {
  using temp = new TempWorkspace({ config: { defaultWorkflow: "chore" } });
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("workflows"))], [1, ["ok", "fail"]]);
});

Deno.test("doctor says that nobody agreed to the agents of the repository", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat" }, isTrusted: false });
  const before = await examine(temp);
  assertEquals([before.code, levels(before.of("trust"))], [0, ["warn"]]);
  await temp.trust();
  assertEquals(levels((await examine(temp)).of("trust")), []);
});

Deno.test("doctor looks for the programs of the agents", async () => {
  const commands = {
    architect: { command: ["sh", "-c", "cat"] },
    reviewer: { command: ["no-such-program"] },
    tester: { command: ["./tester.sh"] },
    engineer: { command: ["./missing.sh"] },
    "data-scientist": { command: ["./"] },
    "ux-designer": { timeoutSeconds: 5 },
    "devops-engineer": { preset: ["codex", "claude", "http"], env: { PATH: "./bin:/nowhere" } },
  };
  using temp = new TempWorkspace({ config: { agents: commands } });
  temp.write("tester.sh", "#!/bin/sh\n");
  Deno.chmodSync(`${temp.root}/tester.sh`, 0o755);
  temp.write("bin/claude", "#!/bin/sh\n");
  Deno.chmodSync(`${temp.root}/bin/claude`, 0o755);
  const { code, of } = await examine(temp);
  const expected = ["ok", "fail", "ok", "fail", "fail", "ok", "fail", "ok"];
  assertEquals([code, levels(of("agents"))], [1, expected]);
});

Deno.test("doctor and agents name an agent of the settings that is probably a slip", async () => {
  const agents = { enginer: { preset: "http" }, poet: { preset: "http" }, defalt: {} };
  using temp = new TempWorkspace({ config: { agents } });
  const { code, of } = await examine(temp);
  const slips = of("config").filter(({ level }) => level === "warn");
  assertEquals([code, slips.map(({ message, next }) => [message.split(" ")[0], next])], [0, [
    ["agents.enginer", 'Did you mean "agents.engineer"?'],
    ["agents.defalt", 'Did you mean "agents.default"?'],
  ]]);
  const { err } = await temp.run(["agents"]);
  assertEquals(err.match(/agent \w+\. Did you mean \w+\?/g), [
    "agent enginer. Did you mean engineer?",
    "agent defalt. Did you mean default?",
  ]);
});

Deno.test("doctor does not take a file for a program that must not be run", async () => {
  using temp = new TempWorkspace({ config: { agents: { tester: { command: ["./tester.sh"] } } } });
  temp.write("tester.sh", "#!/bin/sh\n");
  Deno.chmodSync(`${temp.root}/tester.sh`, 0o644);
  assertEquals(levels((await examine(temp)).of("agents")), ["fail"]);
});

Deno.test("doctor warns of a ledger from the future", async () => {
  using temp = new TempWorkspace();
  writeRecord(temp, { created: minutesAhead(90) });
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("clock"))], [0, ["warn"]]);
  assert(of("clock")[0].message.endsWith("is 1h ahead of this machine's clock"));
});

Deno.test("doctor warns of a ledger that was written in the future", async () => {
  using temp = new TempWorkspace();
  writeRecord(temp);
  const time = new Date(Date.now() + 3_600_000);
  Deno.utimeSync(`${temp.root}/${temp.ledgerPath(42)}`, time, time);
  assertEquals(levels((await examine(temp)).of("clock")), ["warn"]);
});

Deno.test("doctor bears with clocks that differ by a few seconds", async () => {
  using temp = new TempWorkspace();
  writeRecord(temp, { created: minutesAhead(0.5) });
  assertEquals(levels((await examine(temp)).of("clock")), ["ok"]);
});

Deno.test("doctor warns of something in the place of the log", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/log", "a file in the way");
  const { code, of } = await examine(temp);
  assertEquals([code, levels(of("log"))], [0, ["warn"]]);
});

Deno.test("doctor says nothing of the files of git outside of it", async () => {
  using temp = new TempWorkspace();
  const { of } = await examine(temp);
  assertEquals([...of("gitignore"), ...of("gitattributes")], []);
});

Deno.test("doctor --fix adds the lines that are missing in .gitignore", async () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  temp.write(".gitignore", "node_modules/\n.agentx/state/\n");
  assertEquals(levels((await examine(temp)).of("gitignore")), ["warn"]);
  const [{ level, isFixed }] = (await examine(temp, "--fix")).of("gitignore");
  assertEquals([level, isFixed], ["ok", true]);
  assert(temp.read(".gitignore").startsWith("node_modules/\n.agentx/state/\n.agentx/log/\n"));
  const [{ isFixed: isFixedAgain }] = (await examine(temp, "--fix")).of("gitignore");
  assertEquals(isFixedAgain, false);
});

Deno.test("doctor --fix adds the lines that are missing in .gitattributes", async () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  assertEquals(levels((await examine(temp)).of("gitattributes")), ["warn"]);
  const [{ level, isFixed }] = (await examine(temp, "--fix")).of("gitattributes");
  assertEquals([level, isFixed], ["ok", true]);
  assert(temp.read(".gitattributes").includes(".agentx/issues/**/*.jsonl merge=union\n"));
  const [{ isFixed: isFixedAgain }] = (await examine(temp, "--fix")).of("gitattributes");
  assertEquals(isFixedAgain, false);
});

Deno.test("doctor knows a worktree, and warns of state there that nobody reads", async () => {
  using repository = new TempRepository();
  repository.folder("main/.agentx");
  const worktree = repository.worktree();
  repository.folder("second/.agentx");
  const look = async () => {
    const io = new FakeIo();
    await main(["doctor", "--json", "--root", worktree], io);
    const findings: Finding[] = JSON.parse(io.out).findings;
    return levels(findings.filter(({ check }) => check === "worktree"));
  };
  assertEquals(await look(), ["ok"]);
  Deno.mkdirSync(`${worktree}/.agentx/state`);
  assertEquals(await look(), ["ok", "warn"]);
});

Deno.test("doctor lets no escape sequence of a file through", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/clarifications/\x1b[2J", "");
  const { out } = await temp.run(["doctor"]);
  assert(!out.includes("\x1b") && out.includes("\\u{1b}[2J"), out);
});

Deno.test("doctor shows the line that lets agents ask whom the shipped workflows let them ask", async () => {
  using temp = new TempWorkspace();
  const path = ".agentx/workflows/feature.toml";
  const line = 'can_clarify = ["product-manager"]';
  temp.write(path, temp.read(path).replace(line, ""));
  const [, epic] = temp.read(".agentx/workflows/epic.toml").split(/(^[^]*?"Ready"\n)/);
  temp.write(".agentx/workflows/epic.toml", epic);
  const before = temp.read(path);
  const { of } = await examine(temp, "--fix");
  assertEquals(of("workflows").slice(1).map(({ level, message, next }) => [level, message, next]), [
    [
      "warn",
      'Workflow "epic" does not let ux-designer ask any agent',
      `Add the step "ux" of the shipped workflow: agent = "ux-designer", ${line}`,
    ],
    [
      "warn",
      'Workflow "epic" does not let architect ask any agent',
      `Add the step "architecture" of the shipped workflow: agent = "architect", ` +
      'can_clarify = ["product-manager", "investigator"]',
    ],
    [
      "warn",
      'Workflow "feature" does not let ux-designer ask any agent',
      `Add to its step "ux": ${line}`,
    ],
  ]);
  assertEquals(temp.read(path), before);
});

Deno.test("doctor names a key of the settings that is probably a slip, and no other program's", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", '{"agent":{},"somebodyElse":1}');
  const { out } = await temp.run(["doctor"]);
  assert(out.includes('"agent" is not a setting') && out.includes('Did you mean "agents"?'), out);
  assert(!out.includes("somebodyElse"), out);
});

Deno.test("doctor and status name a memory that is too large, and doctor a last session that left nothing", async () => {
  using temp = new TempWorkspace();
  const said = async () => {
    const { findings } = await temp.json(["doctor"]);
    const memory = findings.filter(({ check }: Finding) => check === "memory")
      .map(({ level, message }: Finding) => `${level} ${message}`);
    return { memory: memory.join("\n"), status: (await temp.run(["status"])).err };
  };
  const quiet = await said();
  assert(!quiet.memory.includes("over") && quiet.status === "", quiet.status);

  temp.write("chat.md", "## User\n\nHello\n\n## Assistant\n\nHello, what can I do?\n");
  const capture = [
    "memory",
    "capture",
    "--agent",
    "engineer",
    "--issue",
    "1",
    "--from",
    `${temp.root}/chat.md`,
  ];
  assertEquals((await temp.run(capture)).code, 0);
  const nothing = await said();
  assert(nothing.memory.includes("ok the last session left nothing to remember (engineer)"));
  assertEquals(nothing.status, "", "nobody can do anything about it");

  temp.write(".agentx/memory/large.bin", "");
  Deno.truncateSync(`${temp.root}/.agentx/memory/large.bin`, 41_000_000);
  const large = await said();
  assert(large.memory.includes("warn memory takes 41 MB, which is over 40 MB"), large.memory);
  assert(large.status.includes("over 40 MB. See of what with: agentx memory stats"), large.status);
  const getStats = () => Promise.resolve({ bytes: 9_000_000, totalObservations: 40_001 });
  const [{ message }] = await memoryAlerts(`${temp.root}/.agentx`, getStats);
  assertEquals(message, "memory has 40001 observations, which is over 40000");
});
