import { assert, assertEquals } from "@std/assert";
import { formatRecord } from "../../../lib/lock/record.ts";
import { ASK, ended, TempWorkspace } from "../../temp_workspace.ts";

const WAIT = ["clarify", "wait", "CLR-42-001"];

const NOBODY = "note: CLR-42-001: nobody answers: no agent is configured for architect; " +
  'answer it: agentx answer CLR-42-001 "..."; ' +
  "or configure it: agentx config set --global agents.default.preset claude";

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A workspace with a pending question. */
async function withQuestion(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(ASK);
  return temp;
}

Deno.test("clarify wait in another process ends within a second of the answer", async () => {
  using temp = await withQuestion();
  const waiting = ended(temp.spawn(WAIT));
  await sleep(500);
  await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  const startMs = performance.now();
  const { code, out } = await waiting;
  assert(performance.now() - startMs < 1_000);
  assertEquals([code, out.includes("    A: Both.")], [0, true]);
});

Deno.test("clarify wait gives up after its timeout with 124, having said that it waits", async () => {
  using temp = await withQuestion();
  const before = temp.snapshot();
  const { code, out, err } = await temp.run([...WAIT, "--timeout", "2200ms", "--json"]);
  const [nobody, note, ...rest] = err.split("\n");
  const { error } = JSON.parse(rest.join("\n"));
  assertEquals([code, out, error.code], [124, "", "WAIT_TIMEOUT"]);
  assertEquals(error.details, { clarificationId: "CLR-42-001", waitedMs: 2_200 });
  assertEquals(nobody, NOBODY);
  assertEquals(note, "note: waiting for architect to answer CLR-42-001, 2.2 s at most");
  assertEquals(temp.snapshot(), before);
});

Deno.test("clarify wait says at once that nobody is going to answer, and no more", async () => {
  using temp = await withQuestion();
  const { err } = await temp.run([...WAIT, "--timeout", "50ms"]);
  assertEquals(err.split("\n").filter((line) => line.startsWith("note:")), [NOBODY]);
});

Deno.test("clarify wait says how a configured target is run that nobody runs", async () => {
  using temp = await withQuestion();
  await temp.run(["config", "set", "agents.architect.command", '["sh", "-c", "echo x"]']);
  const { err } = await temp.run([...WAIT, "--timeout", "50ms"]);
  assert(
    err.includes(
      "CLR-42-001: no process is running it; run it with: agentx clarify run CLR-42-001",
    ),
  );
});

Deno.test("clarify wait says once when a run on another machine was seen last", async () => {
  using temp = await withQuestion();
  const timestamp = new Date(Date.now() - 12_500).toISOString();
  const record = { pid: 7, timestamp, agent: "engineer", host: "elsewhere", token: "t" };
  const path = ".agentx/state/runs/CLR-42-001.json";
  const lock = formatRecord({ ...record, witness: "heartbeat", since: null, process: null });
  temp.write(`${path}.lock`, lock);
  temp.write(path, JSON.stringify({ by: "engineer", pid: 7, since: timestamp }));
  const seen = /CLR-42-001: process 7 of engineer was running it, last seen \d\d s ago/;
  const { err } = await temp.run([...WAIT, "--timeout", "1500ms"]);
  const notes = err.split("\n").filter((line) => line.startsWith("note:"));
  assertEquals([notes.length, seen.test(notes[0])], [1, true], err);
  const { out } = await temp.run(["clarify", "CLR-42-001"]);
  assert(seen.test(out), out);
});

Deno.test("clarify wait ends at once where there is an answer", async () => {
  using temp = await withQuestion();
  await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  const { kind, clarification } = await temp.json(WAIT);
  assertEquals([kind, clarification], ["clarification", temp.ledger().clarifications[0]]);
});

Deno.test("clarify wait exits 7 where it is escalated", async () => {
  using temp = await withQuestion();
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  const { code, out } = await temp.run(WAIT);
  assertEquals([code, out.includes("needs a human decision")], [7, true]);
});

Deno.test("clarify wait does not wait for what is not there", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run([...WAIT, "--json"]);
  assertEquals([code, JSON.parse(err).error.code], [4, "NOT_FOUND"]);
});

Deno.test("clarify wait is stopped by Ctrl-C with 130", async () => {
  using temp = await withQuestion();
  const child = temp.spawn([...WAIT, "--json"]);
  const waiting = ended(child);
  await sleep(1_500);
  child.kill("SIGINT");
  const { code, out, err } = await waiting;
  const { error } = JSON.parse(err.slice(err.indexOf("{")));
  assertEquals([code, out, error.code], [130, "", "INTERRUPTED"]);
});

Deno.test("clarify wait prints the answer to the last question, also behind one that came late", async () => {
  using temp = await withQuestion();
  await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  await temp.run(["clarify", "answer", "CLR-42-001", "Yes."]);
  const ledger = temp.ledger();
  const { thread } = ledger.clarifications[0];
  thread.push({ ...thread[1], body: "SQLite." }); // the run of the first question has ended by now
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  const { out } = await temp.run(WAIT);
  assertEquals([out.includes("A: Yes."), out.includes("SQLite.")], [true, false], out);
});
