import { assert, assertEquals } from "@std/assert";
import { ASK, ended, killAgent, TempWorkspace } from "../../temp_workspace.ts";

const RETRY = ["clarify", "retry", "CLR-42-001"];
const OWED = "one retry is left: agentx clarify run CLR-42-001";

/** A stale question to an architect that can be run now. */
async function staleQuestion(script: string): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(ASK);
  const ledger = temp.ledger();
  ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  await temp.run(["clarify"]);
  temp.write("agents/architect.sh", `cat >/dev/null; echo run >>runs; ${script}`);
  await temp.run(["config", "set", "agents.architect.command", '["sh", "agents/architect.sh"]']);
  return temp;
}

Deno.test("clarify and clarify stale say that a retry is due, and how to run it", async () => {
  using temp = await staleQuestion("echo Both.");
  for (const words of [[], ["stale"], ["--issue", "42"]]) {
    const { out } = await temp.run(["clarify", ...words]);
    assert(out.endsWith(`\n\n  CLR-42-001 is stale: ${OWED}\n`), out);
  }
});

Deno.test("clarify retry prints the answer", async () => {
  using temp = await staleQuestion("echo Both.");
  const { code, out } = await temp.run(RETRY);
  assertEquals([code, out.includes("A: Both.")], [0, true]);
  assertEquals((await temp.run(["clarify"])).out.includes("is stale"), false);
});

Deno.test("clarify retry --json says whether the target was run", async () => {
  using temp = await staleQuestion("echo Both.");
  const { kind, retried, newStatus, clarification } = await temp.json(RETRY);
  assertEquals([kind, retried, newStatus], ["clarification", true, "answered"]);
  assertEquals(clarification, temp.ledger().clarifications[0]);
});

Deno.test("clarify retry escalates when the target fails again, after one run", async () => {
  using temp = await staleQuestion("exit 3");
  const { code, out } = await temp.run(RETRY);
  assertEquals([code, temp.read("runs")], [7, "run\n"]);
  assert(out.includes("Reason: architect failed when it was run again: exit code 3"), out);
});

Deno.test("clarify retry runs a pending question too, whose asker is gone", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo run >>runs; echo x" },
  });
  const settings = temp.read(".agentx/config.json");
  temp.write(".agentx/config.json", "{}");
  await temp.run(ASK);
  temp.write(".agentx/config.json", settings);
  assertEquals((await temp.run(RETRY)).code, 0);
  assertEquals(temp.ledger().clarifications[0].status, "answered");
});

Deno.test("clarify retry runs the target once, however many ask for it", async () => {
  using temp = await staleQuestion("sleep 1; echo Both.");
  const runs = await Promise.all(Array.from({ length: 4 }, () => ended(temp.spawn(RETRY))));
  assertEquals(runs.map(({ code }) => code).sort(), [0, 6, 6, 6]);
  assertEquals(temp.read("runs"), "run\n");
});

Deno.test("clarify retry is due again after Ctrl-C", async () => {
  using temp = await staleQuestion("exec sleep 60");
  const child = temp.spawn(RETRY);
  const run = ended(child);
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  assertEquals((await run).code, 130);
  assertEquals(temp.ledger().clarifications[0].status, "stale");
  assert((await temp.run(["clarify", "stale"])).out.includes(OWED));
});

Deno.test("clarify retry without a command says so, exits 7 and changes nothing", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const before = temp.snapshot();
  const { code, err } = await temp.run(RETRY);
  assertEquals([code, err], [
    7,
    "note: nothing was run: nobody answers: no agent is configured for architect\n",
  ]);
  assertEquals(temp.snapshot(), before);
});

Deno.test("clarify retry refuses what is not open, what is not there and what is not an id", async () => {
  using temp = await staleQuestion("echo Both.");
  await temp.run(["clarify", "answer", "CLR-42-001", "SQLite."]);
  for (const [id, code] of [["CLR-42-001", 6], ["CLR-42-009", 4], ["CLR-42", 2]] as const) {
    assertEquals((await temp.run(["clarify", "retry", id])).code, code);
  }
  assertEquals(temp.has("runs"), false);
});

Deno.test("clarify ask of the same question again is the retry of a stale one", async () => {
  using temp = await staleQuestion("echo Both.");
  const { code, out } = await temp.run(["clarify", "ask", "CLR-42-001", "PostgreSQL or SQLite?"]);
  assertEquals([code, out.includes("A: Both.")], [0, true]);
  assertEquals([temp.ledger().clarifications[0].round, temp.read("runs")], [1, "run\n"]);
});

Deno.test("clarify ask of another question comes after the retry of a stale one", async () => {
  using temp = await staleQuestion("echo Both.");
  assertEquals((await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"])).code, 0);
  const { round, thread } = temp.ledger().clarifications[0];
  assertEquals([round, thread.map(({ type }) => type[0]).join(""), temp.read("runs")], [
    2,
    "qaqa",
    "run\nrun\n",
  ]);
});

Deno.test("clarify ask retries no question but its own", async () => {
  using temp = await staleQuestion("echo Both.");
  await temp.run(ASK.map((word) => word === "42" ? "43" : word));
  assertEquals([temp.ledger().clarifications[0].status, temp.read("runs")], ["stale", "run\n"]);
});

Deno.test("clarify ask lets nobody else ask again, not even a stale question", async () => {
  using temp = await staleQuestion("echo Both.");
  const again = ["clarify", "ask", "CLR-42-001", "PostgreSQL or SQLite?", "--as", "reviewer"];
  assertEquals([(await temp.run(again)).code, temp.has("runs")], [6, false]);
});

/** What outlives a killed session ends soon after it may. */
const UNTIL_GO = "n=0; while [ ! -e go ] && [ $((n=n+1)) -lt 200 ]; do sleep 0.1; done";

/** Whether the agent goes on after the process that asked it was ended in this way. */
const GOES_ON = { SIGKILL: true, SIGINT: false } as const;

for (const signal of ["SIGKILL", "SIGINT"] as const) {
  Deno.test(`clarify shows after ${signal} whether its agent goes on, and retry answers it`, async () => {
    const script = `cat >/dev/null; echo run >>runs; ${UNTIL_GO}; echo Both.`;
    using temp = new TempWorkspace({ agents: { architect: script } });
    const child = temp.spawn(ASK);
    const run = ended(child);
    while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
    const during = await temp.run(["clarify", "--issue", "42"]);
    const onIt = /\n {2}CLR-42-001: process \d+ of engineer is running it since \d\d:\d\d:\d\d\n$/;
    assert(onIt.test(during.out), during.out);
    assertEquals((await temp.run(RETRY)).code, 6);

    child.kill(signal);
    await run;
    for (const words of [[], ["--issue", "42"]]) {
      const { out } = await temp.run(["clarify", ...words]);
      const line =
        "\n  CLR-42-001: no process is running it; run it: agentx clarify run CLR-42-001\n";
      assert(GOES_ON[signal] ? onIt.test(out) : out.endsWith(line), out);
    }
    const { runs } = await temp.json(["clarify"]);
    const state = GOES_ON[signal] ? "running" : "nobody";
    assertEquals(runs.map(({ state }: { state: string }) => state), [state]);

    setTimeout(() => temp.write("go", "now"), 300);
    const { code, out, err } = await temp.run(RETRY);
    assertEquals([code, out.includes("A: Both.")], [0, true]);
    assertEquals(temp.read("runs"), GOES_ON[signal] ? "run\n" : "run\nrun\n");
    assertEquals(err.includes("waiting for its reply"), GOES_ON[signal], err);
    assertEquals(Array.from(Deno.readDirSync(`${temp.root}/.agentx/state/runs`)), []);
  });
}

Deno.test("clarify says that a retry was cut off, which can be run again", async () => {
  using temp = await staleQuestion(`${UNTIL_GO}; echo Both.`);
  const child = temp.spawn(RETRY);
  const run = ended(child);
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await run;
  await killAgent(temp);
  const { out } = await temp.run(["clarify"]);
  const line = "CLR-42-001 is stale, its retry was cut off: agentx clarify run CLR-42-001\n";
  assert(out.endsWith(line), out);
  temp.write("go", "now");
  const { code, err } = await temp.run(RETRY);
  assertEquals([code, temp.read("runs")], [0, "run\nrun\n"]);
  assert(err.includes("the run of architect was interrupted, and is repeated once"), err);
});

Deno.test("clarify ask --non-blocking returns at once, and asking the same again answers it", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo run >>runs; echo Both." },
  });
  const { code, out, err } = await temp.run([...ASK, "--non-blocking"]);
  assertEquals([code, err, temp.has("runs")], [0, "", false]);
  assert(out.includes("Wait for it with: agentx clarify wait CLR-42-001"), out);
  assert(out.includes("Run its agent, if nobody does: agentx clarify run CLR-42-001"), out);
  assertEquals((await temp.run(ASK)).code, 0);
  assertEquals(temp.ledger().clarifications.map(({ status }) => status), ["answered"]);
});

Deno.test("a stale question whose target nobody runs here is to be answered, not run", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const ledger = temp.ledger();
  ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  const listing = await temp.run(["clarify"]);
  const next = "answer it with: agentx answer CLR-42-001\n";
  assert(
    listing.err.endsWith(`is stale: architect has not answered in time; ${next}`),
    listing.err,
  );
  assert(listing.out.includes('answer it: agentx answer CLR-42-001 "..."'), listing.out);
  const { out } = await temp.run(RETRY);
  assertEquals([out.includes("agentx answer"), out.includes("clarify run")], [true, false], out);
});

Deno.test("the monitor logs what it did, as counts", async () => {
  using temp = await staleQuestion("echo Both.");
  const day = new Date().toISOString().slice(0, 10);
  const lines = temp.read(`.agentx/log/${day}.jsonl`).trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  const { staleCount, stuckCount, deadlockedCount, abandonedCount } = lines
    .find(({ operation }) => operation === "monitor");
  assertEquals([staleCount, stuckCount, deadlockedCount, abandonedCount], [1, 0, 0, 0]);
});
