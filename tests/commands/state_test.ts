import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { formatRecord } from "../../lib/lock/record.ts";
import { HookSession } from "../hooks/hook_session.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { AGENTX, ASK, ended, environment, killAgent, TempWorkspace } from "../temp_workspace.ts";

Deno.test("state says that nobody did anything yet", async () => {
  using temp = new TempWorkspace();
  const { code, out } = await temp.run(["state"]);
  assertEquals([code, out], [0, "  No agent has done anything here yet.\n"]);
});

Deno.test("state shows who waits for whom", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  assertEquals(
    (await temp.run(["state"])).out.replace(/\d+s ago/g, "0s ago"),
    `  AGENT      STATUS                 ISSUE  SINCE
  architect  not running            #42    0s ago  CLR-42-001 for engineer
  engineer   blocked-clarification  #42    0s ago  CLR-42-001 by architect

  CLR-42-001: nobody answers: no agent is configured for architect
    answer it: agentx answer CLR-42-001 "..."
    or configure it: agentx config set --global agents.default.preset claude
`,
  );
});

Deno.test("state shows an agent with a question that does not block at work", async () => {
  using temp = new TempWorkspace();
  await temp.run([...ASK, "--non-blocking"]);
  assert(/engineer +working +#42 +\d+s ago\n/.test((await temp.run(["state"])).out));
});

Deno.test("state AGENT --set says what an agent does", async () => {
  using temp = new TempWorkspace();
  const set = ["state", "engineer@2", "--set", "working", "--issue", "7"];
  assert(/engineer@2 +working +#7 +\d+s ago\n/.test((await temp.run(set)).out));
  const { agents } = await temp.json(["state"]);
  const { status, issue } = agents[0].base;
  assertEquals([status, issue], ["working", 7]);
});

Deno.test("state AGENT --set does not unblock an agent", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const { agents: [engineer] } = await temp.json(["state", "engineer", "--set", "done"]);
  assertEquals([engineer.status, engineer.base.status], ["blocked-clarification", "done"]);
});

for (const count of [0, 1, 2]) {
  Deno.test(`state --json has a list also of ${count}`, async () => {
    using temp = new TempWorkspace();
    const names = ["architect", "engineer"].slice(0, count);
    for (const agent of names) await temp.run(["state", agent, "--set", "idle"]);
    const { schemaVersion, kind, agents } = await temp.json(["state"]);
    assertEquals([schemaVersion, kind], [1, "agent.list"]);
    assertEquals(agents.map(({ agent }: { agent: string }) => agent), names);
  });
}

Deno.test("state AGENT shows only that one, also by its alias", async () => {
  using temp = new TempWorkspace();
  for (const agent of ["product-manager", "engineer"]) {
    await temp.run(["state", agent, "--set", "idle"]);
  }
  const { agents } = await temp.json(["state", "pm"]);
  assertEquals(agents.map(({ agent }: { agent: string }) => agent), ["product-manager"]);
});

Deno.test("state follows a ledger that was changed by hand", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  Deno.removeSync(`${temp.root}/${temp.ledgerPath(42)}`);
  assert(/engineer +working +#42 +\d+s ago\n/.test((await temp.run(["state"])).out));
});

Deno.test("state refuses a broken status file and leaves it", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/agent-status.json", '{"engineer": {');
  const before = temp.snapshot();
  const { error } = await temp.json(["state"]);
  assertEquals([error.code, temp.snapshot()], ["CORRUPT_STATE", before]);
});

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** A clarification of two rounds, asked 90 minutes and asked again 5 minutes ago. */
function writeLedger(temp: TempWorkspace, changes: Partial<ClarificationRecord> = {}): void {
  const record = sampleRecord({ created: minutesAgo(90), round: 2, ...changes });
  const [question] = record.thread;
  record.thread = [
    { ...question, timestamp: minutesAgo(90) },
    { ...question, type: "answer", from: "architect", timestamp: minutesAgo(80) },
    { ...question, round: 2, timestamp: minutesAgo(5) },
  ];
  const ledger = { issueNumber: 42, clarifications: [record] };
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
}

Deno.test("state shows on whom an agent waits and since when", async () => {
  using temp = new TempWorkspace();
  writeLedger(temp);
  const { out } = await temp.run(["state"]);
  const line = "  engineer   blocked-clarification  #42    1h ago  CLR-42-001 by architect\n";
  assert(out.includes(line), out);
});

Deno.test("state shows status, issue and id beside a session name of 31 characters", async () => {
  using temp = new TempWorkspace();
  writeLedger(temp, { from: "product-manager@claude-3f2a9c71" });
  const { out } = await temp.run(["state", "product-manager"], {
    terminal: true,
    env: { NO_COLOR: "1" },
  });
  const line = /^ {2}product-manager@claude-3f2a9c71 {2}blocked-clarification {2}#42 +CLR-42-001/m;
  assert(line.test(out), out);
  assert(out.split("\n").every((line) => line.length <= 80), out);
});

Deno.test("state shows since when an agent is asked", async () => {
  using temp = new TempWorkspace();
  writeLedger(temp);
  const { out } = await temp.run(["state", "architect"]);
  assert(
    /architect {2}not running {2}#42 {4}5m ago {2}CLR-42-001 for engineer\n/.test(out),
    out,
  );
});

Deno.test("state --json has the time since when", async () => {
  using temp = new TempWorkspace();
  writeLedger(temp);
  const { agents } = await temp.json(["state", "engineer"]);
  assertEquals(agents[0].since, temp.ledger().clarifications[0].created);
});

Deno.test("state shows since when an agent works where nobody asks anything", async () => {
  using temp = new TempWorkspace();
  await temp.run(["state", "engineer", "--set", "working", "--issue", "7"]);
  const { out } = await temp.run(["state"]);
  assert(/engineer {2}working {2}#7 {5}0s ago\n/.test(out), out);
});

Deno.test("state shows no time where a foreign file has none that can be read", async () => {
  using temp = new TempWorkspace();
  const nobody = { clarificationId: null, waitingOn: null, respondingTo: null };
  const base = { status: "working", issue: 7 };
  const engineer = { ...base, lastActivity: "yesterday", ...nobody, base };
  temp.write(".agentx/state/agent-status.json", JSON.stringify({ engineer }));
  const { agents } = await temp.json(["state"]);
  assertEquals(agents[0].since, null);
});

Deno.test("state names a ledger that it cannot read, and shows the rest", async () => {
  using temp = new TempWorkspace();
  writeLedger(temp);
  temp.write(temp.ledgerPath(43), "{ broken");
  const { code, out, err } = await temp.run(["state"]);
  assertEquals(code, 8);
  assert(err.includes("issue-43.json") && out.includes("blocked-clarification"));
});

const MISUSES: readonly (readonly [field: string, ...words: string[]])[] = [
  ["AGENT", "--set", "working"],
  ["--set", "engineer", "--issue", "42"],
  ["--set", "engineer", "--set", "clarifying"],
];

for (const [field, ...words] of MISUSES) {
  Deno.test(`state refuses "${words.join(" ")}"`, async () => {
    using temp = new TempWorkspace();
    const before = temp.snapshot();
    const { error } = await temp.json(["state", ...words]);
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", field]);
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("state makes names of a foreign file inert", async () => {
  using temp = new TempWorkspace();
  const entry = { status: "idle", issue: "\x1b[2J", lastActivity: "x" };
  const names = ["x\x1b[2J\n[ESCALATED] human", "__proto__", "y".repeat(300)];
  const file = Object.fromEntries(names.map((name) => [name, entry]));
  temp.write(".agentx/state/agent-status.json", JSON.stringify(file));
  const atTerminal = { terminal: true, columns: 80, env: { NO_COLOR: "1" } };
  const { code, out } = await temp.run(["state"], atTerminal);
  assertEquals([code, out.includes("\x1b"), out.includes("[ESCALATED]")], [0, false, false]);
  assertEquals(out.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("state shows each session and each of its issues, whole in a pipe", async () => {
  using temp = new TempWorkspace();
  const ask = (issue: string, from: string, ...more: string[]) =>
    temp.run(
      ASK.map((word) => word === "42" ? issue : word === "engineer" ? from : word)
        .concat(more),
    );
  await temp.run(["state", "engineer@claude-3f2a", "--set", "working", "--issue", "7"]);
  await ask("42", "engineer@claude-3f2a");
  await ask("43", "engineer@codex-0f13", "--non-blocking");
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  await temp.run(["ready", "--claim", "engineer@codex-0f13"]);
  assertEquals(
    (await temp.run(["state"])).out.replace(/\d+s ago/g, "0s ago"),
    `  AGENT                 STATUS                 ISSUE  SINCE
  architect             not running            #42    0s ago  CLR-42-001 for engineer@claude-3f2a
                        not running            #43    0s ago  CLR-43-001 for engineer@codex-0f13
  engineer@claude-3f2a  blocked-clarification  #42    0s ago  CLR-42-001 by architect
                        working                #7     0s ago
  engineer@codex-0f13   working                #43    0s ago
                        working                #1     0s ago

  CLR-42-001, CLR-43-001: nobody answers: no agent is configured for architect
    answer it: agentx answer ID "..."
    or configure it: agentx config set --global agents.default.preset claude
`,
  );
  const { agents } = await temp.json(["state", "engineer"]);
  const names = agents.map(({ agent }: { agent: string }) => agent);
  assertEquals(names, ["engineer@claude-3f2a", "engineer@codex-0f13"]);
  assertEquals(agents[0].work.map(({ issue }: { issue: number }) => issue), [42, 7]);
});

Deno.test("state shows a role beside its sessions where it works without one", async () => {
  using temp = new TempWorkspace();
  await temp.run(["state", "engineer@2", "--set", "working", "--issue", "7"]);
  await temp.run(["state", "engineer", "--set", "stuck"]);
  const { agents } = await temp.json(["state"]);
  const shown = agents.map((state: { agent: string; status: string }) =>
    `${state.agent} ${state.status}`
  );
  assertEquals(shown, ["engineer stuck", "engineer@2 working"]);
});

Deno.test("state goes on with a workspace of 04be795 that has open records", async () => {
  using temp = new TempWorkspace();
  const staleAfter = minutesAgo(-25);
  writeLedger(temp, { from: "engineer@2", created: minutesAgo(5), staleAfter });
  const none = { clarificationId: null, waitingOn: null, respondingTo: null };
  const base = { status: "working", issue: 42, since: minutesAgo(9) };
  const row = { status: "working", issue: 42, lastActivity: minutesAgo(9), ...none, base };
  const file = { "engineer": row, "engineer@2": row };
  temp.write(".agentx/state/agent-status.json", JSON.stringify(file));
  const { agents } = await temp.json(["state"]);
  assertEquals(
    agents.map((state: { agent: string; status: string }) => `${state.agent} ${state.status}`),
    ["architect clarifying", "engineer working", "engineer@2 blocked-clarification"],
  );
  // Another session of the role goes to another issue: the question is not its own.
  await temp.run(["hook", "start", "engineer@3", "43"]);
  assertEquals(temp.ledger().clarifications[0].status, "pending");
  await temp.run(["hook", "start", "engineer@2", "43"]);
  await temp.run(["clarify"]);
  assertEquals(temp.ledger().clarifications[0].status, "abandoned");
});

Deno.test("state says clarifying of a target that is run, and of none that nobody is on", async () => {
  const untilGo = "n=0; while [ ! -e go ] && [ $((n=n+1)) -lt 200 ]; do sleep 0.1; done";
  using temp = new TempWorkspace({
    agents: { architect: `cat >/dev/null; echo run >runs; ${untilGo}` },
  });
  const child = temp.spawn(ASK);
  const run = ended(child);
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  const during = await temp.run(["state", "architect"]);
  assert(/architect +clarifying +#42/.test(during.out), during.out);
  const { since, run: { state, since: began } } =
    (await temp.json(["state", "architect"])).agents[0];
  assertEquals([state, since], ["running", began]);
  const { running } = await temp.json(["status"]);
  assertEquals(
    running.map(({ agent, clarificationId }: Record<string, string>) => [
      agent,
      clarificationId,
    ]),
    [["architect", "CLR-42-001"]],
  );

  child.kill("SIGKILL");
  await run;
  assertEquals((await temp.json(["state", "architect"])).agents[0].run.state, "running");
  await killAgent(temp);
  const after = await temp.run(["state", "architect"]);
  assert(/architect +not running +#42/.test(after.out), after.out);
  const { status, run: seen, work } = (await temp.json(["state", "architect"])).agents[0];
  assertEquals([status, seen.state, work[0].run.state], ["clarifying", "nobody", "nobody"]);
});

Deno.test("state says when a run on another machine was seen", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const timestamp = new Date(Date.now() - 12_500).toISOString();
  const record = { pid: 7, timestamp, agent: "engineer", host: "elsewhere", token: "t" };
  const lock = formatRecord({ ...record, witness: "heartbeat", since: null, process: null });
  temp.write(".agentx/state/runs/CLR-42-001.json.lock", lock);
  const { out } = await temp.run(["state", "architect"]);
  assert(/architect +last seen \d\d s ago +#42/.test(out), out);
});

Deno.test("state drops a session that is gone, but not one that has an issue", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  await temp.run(["ready", "--claim", "engineer@1", "--issue", "1", "--lease", "8h"]);
  await temp.run(["state", "engineer@1", "--set", "done", "--issue", "1"]);
  await temp.run(["hook", "start", "engineer@2", "7"]);
  const path = ".agentx/state/agent-status.json";
  temp.write(
    path,
    temp.read(path).replaceAll(/("lastActivity": )"[^"]+"/g, `$1"${minutesAgo(61)}"`),
  );
  const names = async () =>
    (await temp.json(["state"])).agents.map(({ agent }: { agent: string }) => agent);
  assertEquals(await names(), ["engineer@1"]);
  const { issues } = await temp.json(["ready"]);
  assertEquals(issues.map(({ number }: { number: number }) => number), [1]); // which it has left
  await temp.run(["ready", "--claim", "reviewer"]);
  assertEquals(await names(), ["engineer", "reviewer"]);
});

Deno.test("state says gone of a session that ended without ever saying its role, and its claim is free", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:bug"]);
  const session = new HookSession(temp);
  await session.run(["ready", "--claim", "engineer", "--lease", "8h"]);
  const first = async () => (await temp.json(["state", "engineer"])).agents[0];
  assertEquals([(await first()).status, (await first()).gone], ["working", false]);
  await session.fire("SessionEnd");
  assertEquals([(await first()).status, (await first()).gone], ["done", true]);
  const { issues } = await temp.json(["ready"]);
  assertEquals(issues.map(({ number }: { number: number }) => number), [1]);
});

Deno.test("state says gone of a session that was silent for half an hour", async () => {
  using temp = new TempWorkspace();
  await temp.run(["hook", "start", "engineer@2", "7"]);
  const path = ".agentx/state/agent-status.json";
  for (const [minutes, status] of [[29, "working"], [31, "gone"]] as const) {
    temp.write(
      path,
      temp.read(path).replaceAll(/("lastActivity": )"[^"]+"/g, `$1"${minutesAgo(minutes)}"`),
    );
    const { out } = await temp.run(["state"]);
    assert(new RegExp(`engineer@2 +${status} +#7`).test(out), out);
  }
});

Deno.test("state shows an agent whose question is answered at work", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  const { agents: [engineer] } = await temp.json(["state", "engineer"]);
  assertEquals([engineer.status, engineer.issue, engineer.waitingOn], ["working", 42, null]);
});

Deno.test("state says gone of a session whose host was killed, and its claim is free at once", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  temp.write(
    "claude",
    "#!/bin/sh\nCLAUDECODE=1 CLAUDE_CODE_SESSION_ID=11111111-2222-4333-8444-555566663f2a " +
      `sh -c '${AGENTX} ready --claim engineer --lease 8h >claimed; exec 3<go'\nwait\n`,
  );
  Deno.chmodSync(`${temp.root}/claude`, 0o755);
  await new Deno.Command("mkfifo", { args: [`${temp.root}/go`] }).output();
  const env = { ...environment() };
  const host = new Deno.Command(`${temp.root}/claude`, { cwd: temp.root, clearEnv: true, env })
    .spawn();
  const status = async () => (await temp.json(["state", "engineer"])).agents[0];
  const isFree = async () => (await temp.json(["ready"])).issues.length === 1;
  while (!temp.has("claimed")) await new Promise((resolve) => setTimeout(resolve, 20));
  const path = ".agentx/state/agent-status.json";
  const silent = temp.read(path).replaceAll(/("lastActivity": )"[^"]+"/g, `$1"${minutesAgo(59)}"`);
  temp.write(path, silent); // silent, and still there
  assertEquals([(await status()).gone, await isFree()], [false, false]);
  host.kill("SIGKILL");
  await host.status;
  assertEquals([(await status()).gone, await isFree()], [true, true]);
  Deno.openSync(`${temp.root}/go`, { read: true, write: true }).close(); // its child ends
});
