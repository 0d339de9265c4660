import { assertEquals } from "@std/assert";
import { findDeadlocks } from "../../../lib/clarify/monitor/findings.ts";
import { ClarificationMonitor } from "../../../lib/clarify/monitor/monitor.ts";
import { readWorkflow } from "../../../lib/config/workflow.ts";
import { lockTimeout } from "../../../lib/lock/backoff.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { refusal } from "../../refusal.ts";
import { again, Hub, type HubOptions, replies, request } from "../hub.ts";
import { MINUTE_MS, sampleRecord } from "../samples.ts";

/** Everybody may ask everybody, and has 30 minutes to answer. */
const OPEN_HOUSE = ["engineer", "architect", "product-manager", "reviewer"].map((agent, index) =>
  `[[steps]]\nid = "step-${index}"\nagent = "${agent}"\n` +
  `can_clarify = ["engineer", "architect", "product-manager", "reviewer"]\n`
).join("\n");

class Watched extends Hub {
  readonly monitor: ClarificationMonitor;

  constructor(options: HubOptions = {}) {
    super({ workflows: { feature: OPEN_HOUSE }, ...options });
    const { ledger, status, events } = this;
    this.monitor = new ClarificationMonitor({
      ledger,
      status,
      events,
      workflowOf: () => readWorkflow(`${this.folder}/workflows`, "feature"),
      reachOf: () => Promise.resolve({ by: "run" }),
      notify: (message) => this.notes.push(message),
    });
  }

  later(minutes: number): void {
    this.nowMs += minutes * MINUTE_MS;
  }

  statusOf(id = "CLR-42-001"): string {
    return this.ledger.getById(id).status;
  }
}

Deno.test("ClarificationMonitor.runCheck() leaves a question within its SLA alone", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(30);
  const before = hub.snapshot();
  const { stale, overdue, stuck, deadlocked, abandoned } = await hub.monitor.runCheck();
  assertEquals([stale, overdue, stuck, deadlocked, abandoned], [[], [], [], [], []]);
  assertEquals(hub.snapshot(), before);
});

Deno.test("ClarificationMonitor.runCheck() marks an overdue question and runs no agent", async () => {
  let runs = 0;
  using hub = new Watched({ agents: { architect: () => Promise.resolve(`Answer ${++runs}`) } });
  await hub.ledger.add(42, await pendingRecord(hub));
  hub.later(31);
  const { stale } = await hub.monitor.runCheck();
  assertEquals([runs, hub.statusOf(), stale.length], [0, "stale", 1]);
  assertEquals(hub.names, ["clarification-stale"]);
  assertEquals(hub.notes, [
    "CLR-42-001 is stale: architect has not answered in time; " +
    "one retry is left: agentx clarify run CLR-42-001",
  ]);
});

/** A question that was asked while its target could not be run. */
async function pendingRecord(hub: Watched) {
  using other = new Watched();
  other.nowMs = hub.nowMs;
  const { clarification } = await other.router.requestClarification(request());
  const { id: _id, ...record } = clarification;
  return record;
}

/** The reason of the last escalation. */
function reasonOf(hub: Watched): string | undefined {
  return hub.ledger.getById("CLR-42-001").thread.at(-1)?.body.split("\n")[0];
}

Deno.test("ClarificationMonitor.runCheck() escalates a question that is overdue twice", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(31);
  await hub.monitor.runCheck();
  hub.later(31);
  const { overdue } = await hub.monitor.runCheck();
  assertEquals([overdue.map(({ id }) => id), hub.statusOf()], [["CLR-42-001"], "escalated"]);
  assertEquals(hub.names.slice(1), ["clarification-stale", "clarification-escalated"]);
  assertEquals(
    reasonOf(hub),
    "Reason: architect has not answered in time, twice, and no retry ran",
  );
});

Deno.test("ClarificationMonitor.runCheck() tells a retry without an answer from none", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(31);
  await hub.monitor.runCheck();
  await hub.ledger.change("CLR-42-001", "agent-x", (record) => {
    record.retriedAt = "2026-02-26T10:40:00.000Z"; // killed on its way
  });
  hub.later(31);
  await hub.monitor.runCheck();
  const reason = "the retry of 2026-02-26T10:40:00.000Z brought no answer";
  assertEquals(reasonOf(hub), `Reason: architect has not answered in time, twice, and ${reason}`);
});

Deno.test("ClarificationMonitor.runCheck() never escalates in two quick checks", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(31);
  await hub.monitor.runCheck();
  await hub.monitor.runCheck();
  assertEquals(hub.statusOf(), "stale");
});

Deno.test("ClarificationMonitor.runCheck() takes an answer to a stale question", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(31);
  await hub.monitor.runCheck();
  await hub.router.answerClarification({ clarificationId: "CLR-42-001", answer: "Both." });
  hub.later(31);
  await hub.monitor.runCheck();
  assertEquals(hub.statusOf(), "answered");
});

Deno.test("ClarificationMonitor.runCheck() acts once where eight run at the same time", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(31);
  await Promise.all(Array.from({ length: 8 }, () => hub.monitor.runCheck()));
  assertEquals(hub.names.filter((name) => name === "clarification-stale").length, 1);
});

Deno.test("ClarificationMonitor.runCheck() escalates a question that was asked again, whatever the answer", async () => {
  using hub = new Watched({
    agents: { architect: replies("SQLite in development.", "That is for the project to decide.") },
  });
  await hub.router.requestClarification(request({ question: "Which one, then?" }));
  await hub.router.followUp(again("Which one then?"));
  const { stuck } = await hub.monitor.runCheck();
  assertEquals([stuck.length, hub.statusOf()], [1, "escalated"]);
});

Deno.test("ClarificationMonitor.runCheck() leaves two rounds alone whose questions differ", async () => {
  using hub = new Watched({ agents: { architect: replies("Both.", "Both.") } });
  await hub.router.requestClarification(request({ question: "Which database?" }));
  await hub.router.followUp(again("Which cache?"));
  assertEquals((await hub.monitor.runCheck()).stuck, []);
});

Deno.test("ClarificationMonitor.runCheck() escalates a question that is asked back", async () => {
  using hub = new Watched();
  const topic = "Database layer";
  await hub.router.requestClarification(request({ topic, blocking: false }));
  hub.later(1);
  await hub.router.requestClarification(
    request({ topic: "Database layer?", fromAgent: "architect", toAgent: "engineer" }),
  );
  const { stuck } = await hub.monitor.runCheck();
  assertEquals(stuck.map(({ id }) => id), ["CLR-42-002"]);
  assertEquals(hub.statusOf(), "pending");
});

/** As it is where a process was killed between its question and the look at who waits for whom. */
async function cycle(hub: Watched): Promise<void> {
  const waits = [["reviewer", "engineer"], ["engineer", "architect"], ["architect", "reviewer"]];
  for (const [index, [from, to]] of waits.entries()) {
    const { id: _id, ...record } = sampleRecord({}, { from, to, topic: `Topic ${"abc"[index]}` });
    await hub.ledger.add(42, record);
  }
}

Deno.test("ClarificationMonitor.runCheck() breaks a cycle of three at its most downstream agent", async () => {
  using hub = new Watched();
  await cycle(hub);
  const { deadlocked } = await hub.monitor.runCheck();
  assertEquals(deadlocked.map(({ id, from }) => [id, from]), [["CLR-42-001", "reviewer"]]);
  assertEquals([hub.statusOf("CLR-42-002"), hub.statusOf("CLR-42-003")], ["pending", "pending"]);
});

Deno.test("ClarificationMonitor.runCheck() says of a deadlock who is escalated and who goes on", async () => {
  using hub = new Watched();
  await cycle(hub);
  const [{ deadlock, ...record }] = (await hub.monitor.runCheck()).deadlocked;
  const { reason, ...ids } = deadlock;
  assertEquals(ids, {
    cycle: ["CLR-42-001", "CLR-42-002", "CLR-42-003"],
    escalated: ["CLR-42-001"],
    continued: ["CLR-42-002", "CLR-42-003"],
  });
  assertEquals(
    reason,
    "deadlock: reviewer waits for engineer (CLR-42-001), engineer waits for architect (CLR-42-002), " +
      "architect waits for reviewer (CLR-42-003); CLR-42-002, CLR-42-003 continue",
  );
  assertEquals(record, hub.ledger.getById("CLR-42-001"));
  assertEquals(record.thread.at(-1)?.body.split("\n")[0], `Reason: ${reason}`);
  assertEquals(hub.notes.at(-1), `CLR-42-001 is escalated: ${reason}`);
  assertEquals(hub.heard.at(-1)?.payload.deadlock, deadlock);
});

Deno.test("ClarificationMonitor.breakDeadlock() escalates the downstream one of two, once", async () => {
  using hub = new Watched();
  const add = (from: string, to: string) => {
    const { id: _id, ...record } = sampleRecord({}, { from, to });
    return hub.ledger.add(42, record);
  };
  const [down, up] = [await add("engineer", "architect"), await add("architect", "engineer")];
  assertEquals(await hub.monitor.breakDeadlock(up, down), { escalated: down.id, continued: up.id });
  assertEquals([hub.statusOf(down.id), hub.statusOf(up.id)], ["escalated", "pending"]);
  await refusal("INVALID_TRANSITION", () => hub.monitor.breakDeadlock(up, down));
});

Deno.test("ClarificationMonitor.runCheck() sees no deadlock where a question does not block", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request({ topic: "One" }));
  await hub.router.requestClarification(
    request({ topic: "Two", fromAgent: "architect", toAgent: "engineer", blocking: false }),
  );
  assertEquals((await hub.monitor.runCheck()).deadlocked, []);
});

Deno.test("ClarificationMonitor.runCheck() abandons the question of a session that moved on", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  hub.later(1);
  await hub.status.setBase("engineer@1", { status: "working", issue: 43 });
  const { abandoned } = await hub.monitor.runCheck();
  assertEquals([abandoned.length, hub.statusOf()], [1, "abandoned"]);
  assertEquals(hub.words("engineer"), ["working"]);
});

Deno.test("ClarificationMonitor.runCheck() keeps the question of a role without a session", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  hub.later(1);
  await hub.status.setBase("engineer", { status: "working", issue: 43 });
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
});

Deno.test("ClarificationMonitor.runCheck() keeps a question that was asked beside other work", async () => {
  using hub = new Watched();
  await hub.status.setBase("engineer@1", { status: "working", issue: 43 });
  hub.later(1);
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
});

Deno.test("ClarificationMonitor.runCheck() keeps the questions of another worker", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  hub.later(1);
  await hub.status.setBase("engineer@2", { status: "working", issue: 43 });
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
});

Deno.test("ClarificationMonitor.runCheck() keeps what a busy session took over from another", async () => {
  using hub = new Watched({ agents: { architect: replies("Both.", "Yes.") } });
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  hub.later(1);
  await hub.status.setBase("engineer@1", { status: "done", issue: 42 });
  await hub.status.setBase("engineer@2", { status: "working", issue: 43 });
  hub.later(1);
  await hub.router.followUp({ ...again(), by: "engineer@2" });
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
  hub.later(1);
  await hub.status.setBase("engineer@2", { status: "working", issue: 44 });
  assertEquals((await hub.monitor.runCheck()).abandoned.length, 1);
  const kept = "engineer@2 works on another issue; its answer stays: agentx clarify CLR-42-001";
  assertEquals(hub.notes.at(-1), `CLR-42-001 is abandoned: ${kept}`);
});

Deno.test("ClarificationMonitor.runCheck() keeps what a resumed session took over", async () => {
  using hub = new Watched({ agents: { architect: replies("Both.", "Yes.") } });
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  hub.later(1);
  await hub.status.setBase("engineer@1", { status: "done", issue: 42 });
  await hub.status.begin("engineer@2", 43, "claude:1");
  hub.later(1);
  await hub.router.followUp({ ...again(), by: "engineer@2" });
  hub.later(1);
  await hub.status.begin("engineer@2", 43, "claude:1");
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
  await hub.status.begin("engineer@2", 44, "claude:1");
  assertEquals((await hub.monitor.runCheck()).abandoned.length, 1);
});

Deno.test("ClarificationMonitor.runCheck() keeps what was taken over while it looked", async () => {
  using hub = new Watched({ agents: { architect: replies("Both.", "Yes.") } });
  await hub.router.requestClarification(request({ fromAgent: "engineer@1" }));
  hub.later(1);
  await hub.status.setBase("engineer@1", { status: "working", issue: 43 });
  const { changeAll } = hub.ledger;
  hub.ledger.changeAll = async (...args) => {
    hub.later(1);
    await hub.status.setBase("engineer@1", { status: "done", issue: 43 });
    await hub.router.followUp({ ...again(), by: "engineer@2" });
    return await changeAll.apply(hub.ledger, args);
  };
  assertEquals((await hub.monitor.runCheck()).abandoned, []);
  assertEquals(hub.statusOf(), "answered");
});

Deno.test("ClarificationMonitor.runCheck() does the rest where a ledger is corrupt", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  Deno.writeTextFileSync(hub.ledgerPath(7), "{");
  hub.later(31);
  const { stale, problems } = await hub.monitor.runCheck();
  assertEquals([stale.length, problems.map(({ code }) => code)], [1, ["CORRUPT_STATE"]]);
  assertEquals(Deno.readTextFileSync(hub.ledgerPath(7)), "{");
});

Deno.test("ClarificationMonitor.runCheck() changes 50 clarifications at most, and the next the rest", async () => {
  using hub = new Watched();
  const record = await pendingRecord(hub);
  for (let n = 0; n < 60; n++) await hub.ledger.add(42, record);
  hub.later(31);
  assertEquals((await hub.monitor.runCheck()).stale.length, 50);
  assertEquals(
    hub.notes.at(-1),
    "10 clarifications are left for the next check: at most 50 are changed at a time",
  );
  const { stale, overdue } = await hub.monitor.runCheck();
  assertEquals([stale.length, overdue.length], [10, 0]);
});

Deno.test("ClarificationMonitor.runCheck() tells what it did before it meets a locked ledger", async () => {
  using hub = new Watched();
  await hub.router.requestClarification(request());
  await hub.router.requestClarification(request({ issueNumber: 43 }));
  hub.later(31);
  const { createFile } = sys;
  sys.createFile = (path) => {
    if (path.endsWith("issue-43.json.lock")) throw lockTimeout(path, 5_000, undefined);
    return createFile(path);
  };
  try {
    await refusal("LOCK_TIMEOUT", () => hub.monitor.runCheck());
  } finally {
    sys.createFile = createFile;
  }
  assertEquals([hub.statusOf(), hub.statusOf("CLR-43-001")], ["stale", "pending"]);
  assertEquals(hub.names.filter((name) => name === "clarification-stale").length, 1);
});

Deno.test("ClarificationMonitor.runCheck() escalates the same in small steps as in one", async () => {
  using hub = new Watched();
  const agents = ["engineer", "architect", "product-manager", "reviewer"];
  const pairs = agents.flatMap((from) =>
    agents.filter((to) => to !== from).map((to) => ({ from, to }))
  );
  for (let n = 0; n < 120; n++) {
    const { from, to } = pairs[n % pairs.length];
    const created = new Date(hub.nowMs + n * 1_000).toISOString();
    const { id: _id, ...record } = sampleRecord({ created }, { from, to, topic: `Topic ${n}` });
    await hub.ledger.add(42, record);
  }
  const expected = [...findDeadlocks(hub.ledger.getByIssue(42)).keys()].sort();
  const done: string[] = [];
  for (let checks = 0; checks < 3; checks++) {
    done.push(...(await hub.monitor.runCheck()).deadlocked.map(({ id }) => id));
  }
  assertEquals(done.sort(), expected);
});
