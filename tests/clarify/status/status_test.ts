import { assertEquals } from "@std/assert";
import { overlay } from "../../../lib/clarify/status/effective_status.ts";
import { ClarificationLedger } from "../../../lib/clarify/ledger/ledger.ts";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { AgentStatusStore } from "../../../lib/clarify/status/status.ts";
import type { AgentBase, AgentStatusFile } from "../../../lib/clarify/status/status_file.ts";
import { addQuestion } from "../../../lib/clarify/rules/transitions.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { replace } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { snapshotOf } from "../../temp_workspace.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../samples.ts";
import { removeFolder } from "../../remove_folder.ts";

const IDLE = { status: "idle", issue: null } as const;

/** A status file and ledgers in a temp folder. */
class TempStatus implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly path = `${this.folder}/agent-status.json`;
  readonly ledger: ClarificationLedger;
  readonly store: AgentStatusStore;
  nowMs = START_MS;
  /** Who has an issue, and how often that was asked. */
  holders: string[] = [];
  looks = 0;
  readonly #clock = replace("now", () => () => this.nowMs);

  constructor() {
    const locks = new FileLockManager();
    this.ledger = new ClarificationLedger(`${this.folder}/clarifications`, locks);
    this.store = new AgentStatusStore(this.path, locks, this.ledger, {
      holders: () => {
        this.looks++;
        return Promise.resolve(new Set(this.holders));
      },
    });
  }

  async open(changes: Partial<ClarificationRecord> = {}, issue = 42): Promise<string> {
    const { id: _, ...record } = sampleRecord(changes);
    return (await this.ledger.add(issue, record)).id;
  }

  write(content: unknown): void {
    Deno.writeTextFileSync(this.path, JSON.stringify(content));
  }

  read(): AgentStatusFile {
    return JSON.parse(Deno.readTextFileSync(this.path));
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
    removeFolder(this.folder);
  }
}

Deno.test("overlay() leaves an agent without clarifications as its base says", () => {
  assertEquals(overlay("engineer", { status: "working", issue: 7 }, []), {
    status: "working",
    issue: 7,
    clarificationId: null,
    waitingOn: null,
    respondingTo: null,
  });
});

for (const status of ["pending", "stale"] as const) {
  Deno.test(`overlay() blocks the requester of what is ${status}`, () => {
    assertEquals(overlay("engineer", IDLE, [sampleRecord({ status })]), {
      status: "blocked-clarification",
      issue: 42,
      clarificationId: "CLR-42-001",
      waitingOn: "architect",
      respondingTo: null,
    });
  });
}

Deno.test("overlay() lets the requester of an escalation wait for a human", () => {
  const { status, waitingOn } = overlay("engineer", IDLE, [sampleRecord({ status: "escalated" })]);
  assertEquals([status, waitingOn], ["blocked-clarification", "human"]);
});

Deno.test("overlay() does not block the requester of what does not block", () => {
  const base = { status: "working", issue: 42 } as const;
  assertEquals(overlay("engineer", base, [sampleRecord({ blocking: false })]).status, "working");
});

for (const status of ["pending", "stale"] as const) {
  Deno.test(`overlay() has the target of what is ${status} answer`, () => {
    assertEquals(overlay("architect", IDLE, [sampleRecord({ status })]), {
      status: "clarifying",
      issue: 42,
      clarificationId: "CLR-42-001",
      waitingOn: null,
      respondingTo: "engineer",
    });
  });
}

for (const status of ["answered", "escalated"] as const) {
  Deno.test(`overlay() lets the target of what is ${status} go`, () => {
    assertEquals(overlay("architect", IDLE, [sampleRecord({ status })]).status, "idle");
  });
}

Deno.test("overlay() puts being blocked before clarifying", () => {
  const asked = sampleRecord({ id: "CLR-7-001" });
  const asks = sampleRecord({ from: "architect", to: "product-manager" });
  const { status, clarificationId } = overlay("architect", IDLE, [asked, asks]);
  assertEquals([status, clarificationId], ["blocked-clarification", "CLR-42-001"]);
});

Deno.test("overlay() names the first blocking record", () => {
  const open = [
    sampleRecord({ id: "CLR-42-001", blocking: false }),
    sampleRecord({ id: "CLR-42-002", to: "product-manager" }),
    sampleRecord({ id: "CLR-42-003" }),
  ];
  const { clarificationId, waitingOn } = overlay("engineer", IDLE, open);
  assertEquals([clarificationId, waitingOn], ["CLR-42-002", "product-manager"]);
});

Deno.test("overlay() keeps workers apart", () => {
  const open = [sampleRecord({ from: "engineer@2", to: "architect@1" })];
  const words = ["engineer", "engineer@1", "engineer@2", "architect", "architect@1"]
    .map((agent) => overlay(agent, IDLE, open).status);
  assertEquals(words, ["idle", "idle", "blocked-clarification", "idle", "clarifying"]);
});

Deno.test("AgentStatusStore.refresh() names the oldest blocking record of all issues", async () => {
  using temp = new TempStatus();
  await temp.open({ created: "2026-02-26T10:05:00.000Z" }, 7);
  await temp.open({ created: "2026-02-26T12:01:00.000+02:00" }, 42);
  await temp.open({ created: "2026-02-26T10:03:00.000Z" }, 9);
  const { engineer } = await temp.store.refresh();
  assertEquals([engineer.clarificationId, engineer.issue], ["CLR-42-001", 42]);
});

Deno.test("AgentStatusStore.refresh() has a target answer the next of two requesters", async () => {
  using temp = new TempStatus();
  const first = await temp.open({ from: "engineer", created: "2026-02-26T10:00:00.000Z" });
  await temp.open({ from: "reviewer", created: "2026-02-26T10:01:00.000Z" });
  assertEquals((await temp.store.refresh()).architect.respondingTo, "engineer");
  await temp.ledger.change(first, "architect", (record) => void (record.status = "answered"));
  const { architect, engineer, reviewer } = await temp.store.refresh();
  assertEquals([architect.status, architect.respondingTo], ["clarifying", "reviewer"]);
  assertEquals([engineer.status, reviewer.status], ["idle", "blocked-clarification"]);
});

Deno.test("AgentStatusStore.refresh() gives two workers statuses of their own", async () => {
  using temp = new TempStatus();
  await temp.open({ from: "engineer@1" }, 7);
  await temp.open({ from: "engineer@2" }, 42);
  const file = await temp.store.refresh();
  const { sessions = {} } = file.engineer;
  assertEquals([sessions["engineer@1"].issue, sessions["engineer@2"].issue], [7, 42]);
  assertEquals(Object.keys(file).sort(), ["architect", "engineer"]);
});

Deno.test("AgentStatusStore has a row for each role, with its sessions under an extra key", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("engineer@claude-3f2a", { status: "working", issue: 7 });
  await temp.open({ from: "engineer@codex-0f13" });
  await temp.store.refresh();
  const { engineer, ...others } = temp.read();
  assertEquals(Object.keys(others), ["architect"]);
  const { sessions, ...row } = engineer;
  const lastActivity = "2026-02-26T10:00:00.000Z";
  const none = { clarificationId: null, waitingOn: null, respondingTo: null };
  const blocked = {
    ...{ status: "blocked-clarification" as const, issue: 42, lastActivity },
    ...{ clarificationId: "CLR-42-001", waitingOn: "architect", respondingTo: null },
    base: { status: "idle" as const, issue: null, since: null },
  };
  const working = { status: "working", issue: 7 } as const;
  assertEquals(row, blocked);
  assertEquals(sessions, {
    "engineer@claude-3f2a": {
      ...{ ...working, lastActivity, ...none },
      base: { ...working, since: lastActivity },
    },
    "engineer@codex-0f13": blocked,
  });
});

/** What speaks for a role, from the bases of its sessions. */
async function aggregate(...bases: AgentBase["status"][]): Promise<string> {
  using temp = new TempStatus();
  for (const [index, status] of bases.entries()) {
    await temp.store.setBase(`engineer@${index + 1}`, { status, issue: index + 1 });
    temp.nowMs += MINUTE_MS;
  }
  const { status, issue } = temp.read().engineer;
  return `${status} #${issue}`;
}

Deno.test("AgentStatusStore lets the session that most needs somebody speak for its role", async () => {
  const rows = [
    await aggregate("working", "stuck", "done", "idle"),
    await aggregate("done", "working", "working"),
    await aggregate("idle", "done"),
  ];
  assertEquals(rows, ["stuck #2", "working #3", "done #2"]);
});

Deno.test("AgentStatusStore names the oldest clarification of all sessions of a role", async () => {
  using temp = new TempStatus();
  await temp.open({ from: "engineer@1", created: "2026-02-26T10:05:00.000Z" });
  await temp.open({ from: "engineer@2", created: "2026-02-26T10:01:00.000Z" });
  await temp.open({ from: "engineer", created: "2026-02-26T10:03:00.000Z" });
  assertEquals((await temp.store.refresh()).engineer.clarificationId, "CLR-42-002");
});

Deno.test("AgentStatusStore moves the sessions of a file of 04be795 to their role", async () => {
  using temp = new TempStatus();
  await temp.open({ from: "engineer@2" });
  const since = "2026-02-26T09:59:00.000Z";
  const none = { clarificationId: null, waitingOn: null, respondingTo: null };
  const base = { status: "working", issue: 42, since } as const;
  const row = { status: "working", issue: 42, lastActivity: since, ...none, base };
  temp.write({ "engineer": row, "engineer@2": row, "engineer@3": row });
  await temp.store.setBase("engineer@3", { status: "stuck", issue: 7 });
  const { engineer, ...others } = temp.read();
  assertEquals(Object.keys(others), ["architect"]);
  const { sessions = {}, status, base: own } = engineer;
  assertEquals([status, own, Object.keys(sessions).sort()], [
    ...["blocked-clarification", base],
    ["engineer@2", "engineer@3"],
  ]);
  assertEquals(sessions["engineer@2"].base, base);
  assertEquals([sessions["engineer@3"].status, sessions["engineer@3"].issue], ["stuck", 7]);
});

Deno.test("AgentStatusStore drops a session that is gone, unless it has an open record or an issue", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("engineer@1", { status: "done", issue: 7 });
  await temp.store.setBase("engineer@2", { status: "working", issue: 7 });
  const id = await temp.open({ from: "engineer@3" });
  await temp.store.setBase("engineer@4", { status: "done", issue: 9 });
  temp.holders = ["engineer@4"];
  const names = async () => Object.keys((await temp.store.current()).engineer.sessions ?? {});
  temp.nowMs += 59 * MINUTE_MS;
  assertEquals((await names()).sort(), ["engineer@1", "engineer@2", "engineer@3", "engineer@4"]);
  temp.nowMs += MINUTE_MS;
  assertEquals((await names()).sort(), ["engineer@3", "engineer@4"]);
  temp.holders = [];
  await temp.ledger.change(id, "x", (record) => void (record.status = "resolved"));
  await temp.store.current(); // what has just ended is still told of
  temp.nowMs += 60 * MINUTE_MS;
  assertEquals([await names(), Object.keys(temp.read())], [[], ["engineer", "architect"]]);
});

Deno.test("AgentStatusStore drops the first asker where another session asks now", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("engineer@1", { status: "done", issue: 42 });
  await temp.store.setBase("engineer@2", { status: "working", issue: 42 });
  const id = await temp.open({ from: "engineer@1", status: "answered" });
  const action = { by: "engineer@2", body: "And pooling?", nowMs: START_MS, isGone: () => true };
  await temp.ledger.change(id, "x", (record) => void addQuestion(record, action, 30));
  temp.nowMs += 60 * MINUTE_MS;
  const { engineer } = await temp.store.current();
  assertEquals(Object.keys(engineer.sessions ?? {}), ["engineer@2"]);
});

Deno.test("AgentStatusStore looks for who has an issue only where a session is silent", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("engineer@1", { status: "working", issue: 7 });
  await temp.store.current();
  assertEquals(temp.looks, 0);
  temp.nowMs += 60 * MINUTE_MS;
  await temp.store.current();
  assertEquals(temp.looks, 1);
});

Deno.test("AgentStatusStore.isGone() is true of a session that ended, or was not heard of for long", async () => {
  using temp = new TempStatus();
  await temp.store.refresh({ agent: "engineer@1", did: "ask", issue: 42 });
  await temp.store.setBase("engineer@2", { status: "done", issue: 42 });
  const gone = () => [1, 2, 3].map((worker) => temp.store.isGone(`engineer@${worker}`));
  assertEquals(gone(), [false, true, true]);
  temp.nowMs += 29 * MINUTE_MS;
  assertEquals(gone(), [false, true, true]);
  temp.nowMs += MINUTE_MS;
  assertEquals(gone(), [true, true, true]);
  await temp.store.refresh({ agent: "engineer@1", did: "ask", issue: 42 });
  assertEquals(gone(), [false, true, true]);
});

Deno.test("AgentStatusStore.refresh() gives back what an agent did before", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("architect", { status: "working", issue: 7 });
  const id = await temp.open();
  assertEquals((await temp.store.refresh()).architect.status, "clarifying");
  await temp.ledger.change(id, "x", (record) => void (record.status = "resolved"));
  const { architect } = await temp.store.refresh();
  assertEquals([architect.status, architect.issue, architect.respondingTo], ["working", 7, null]);
});

Deno.test("AgentStatusStore writes SPEC-1 4.3 and a base", async () => {
  using temp = new TempStatus();
  await temp.open();
  await temp.store.refresh({ agent: "engineer", did: "ask", issue: 42 });
  assertEquals(temp.read(), {
    engineer: {
      status: "blocked-clarification",
      issue: 42,
      lastActivity: "2026-02-26T10:00:00.000Z",
      clarificationId: "CLR-42-001",
      waitingOn: "architect",
      respondingTo: null,
      base: { status: "working", issue: 42, since: "2026-02-26T10:00:00.000Z" },
    },
    architect: {
      status: "clarifying",
      issue: 42,
      lastActivity: "2026-02-26T10:00:00.000Z",
      clarificationId: "CLR-42-001",
      waitingOn: null,
      respondingTo: "engineer",
      base: { status: "idle", issue: null, since: null },
    },
  });
});

Deno.test("AgentStatusStore.refresh() leaves an agent that asks and is busy with what it does", async () => {
  using temp = new TempStatus();
  await temp.store.refresh({ agent: "engineer", did: "ask", issue: 42 });
  await temp.store.refresh({ agent: "engineer", did: "ask", issue: 43 });
  const { status, issue } = temp.read().engineer.base;
  assertEquals([status, issue], ["working", 42]);
});

Deno.test("AgentStatusStore.setBase() gives the status that is in effect", async () => {
  using temp = new TempStatus();
  await temp.open();
  const status = await temp.store.setBase("engineer", { status: "stuck", issue: 42 });
  assertEquals([status.status, status.base.status], ["blocked-clarification", "stuck"]);
});

Deno.test("AgentStatusStore dates only the entries that change", async () => {
  using temp = new TempStatus();
  await temp.store.setBase("reviewer", { status: "working", issue: 7 });
  temp.nowMs += MINUTE_MS;
  await temp.open();
  const { reviewer, engineer } = await temp.store.refresh();
  assertEquals([reviewer.lastActivity, engineer.lastActivity], [
    "2026-02-26T10:00:00.000Z",
    "2026-02-26T10:01:00.000Z",
  ]);
});

Deno.test("AgentStatusStore.current() is empty where nobody did anything", async () => {
  using temp = new TempStatus();
  assertEquals(await temp.store.current(), {});
  assertEquals(Object.keys(snapshotOf(temp.folder)), [""]);
});

Deno.test("AgentStatusStore.current() writes nothing where file and ledgers agree", async () => {
  using temp = new TempStatus();
  await temp.open();
  await temp.store.refresh();
  const before = Deno.statSync(temp.path);
  temp.nowMs += MINUTE_MS;
  await temp.store.current();
  const { ino, mtime } = Deno.statSync(temp.path);
  assertEquals([ino, mtime], [before.ino, before.mtime]);
});

Deno.test("AgentStatusStore.current() follows a ledger that changed without it", async () => {
  using temp = new TempStatus();
  const id = await temp.open();
  await temp.store.refresh();
  await temp.ledger.change(id, "x", (record) => void (record.status = "resolved"));
  const { engineer } = await temp.store.current();
  assertEquals([engineer.status, temp.read().engineer.status], ["idle", "idle"]);
});

Deno.test("AgentStatusStore reads a file of the original, which has no base", async () => {
  using temp = new TempStatus();
  const lastActivity = "2026-02-26T09:00:00.000Z";
  temp.write({
    "engineer": { status: "working", issue: 42, lastActivity },
    "architect": { status: "clarifying", issue: 7, lastActivity, respondingTo: "engineer" },
    "reviewer": { status: "idle", issue: null, lastActivity },
  });
  const file = await temp.store.current();
  const bases = Object.entries(file).map(([agent, { base }]) => [agent, base.status, base.issue]);
  assertEquals(bases, [["engineer", "working", 42], ["architect", "working", 7], [
    "reviewer",
    "idle",
    null,
  ]]);
  assertEquals([file.architect.status, file.architect.respondingTo], ["working", null]);
});

Deno.test("AgentStatusStore keeps keys that it does not know", async () => {
  using temp = new TempStatus();
  temp.write({ engineer: { status: "idle", issue: null, lastActivity: "x", sessionId: "s-1" } });
  await temp.store.refresh({ agent: "engineer", did: "ask", issue: 42 });
  const engineer: object = temp.read().engineer;
  assertEquals({ ...engineer, sessionId: "s-1" }, engineer);
});

for (
  const content of [
    [],
    "x",
    { engineer: null },
    { engineer: { status: "asleep" } },
    { engineer: { status: "idle", base: null } },
    { engineer: { status: "idle", sessions: [] } },
    { engineer: { status: "idle", sessions: { "engineer@2": { status: "asleep" } } } },
    { engineer: { status: "idle", base: { status: "clarifying" } } },
  ]
) {
  Deno.test(`AgentStatusStore refuses ${JSON.stringify(content)} and leaves it`, async () => {
    using temp = new TempStatus();
    temp.write(content);
    await refusal("CORRUPT_STATE", () => temp.store.current());
    await refusal(
      "CORRUPT_STATE",
      () => temp.store.refresh({ agent: "engineer", did: "ask", issue: 42 }),
    );
    assertEquals(temp.read() as unknown, content);
  });
}

Deno.test("AgentStatusStore takes agents named like parts of objects for agents", async () => {
  using temp = new TempStatus();
  await temp.open({ from: "__proto__", to: "constructor" });
  const file = await temp.store.refresh();
  assertEquals(Object.keys(file).sort(), ["__proto__", "constructor"]);
  assertEquals(Object.keys(temp.read()).sort(), ["__proto__", "constructor"]);
});

Deno.test("AgentStatusStore.checkName() keeps a name for a silent session that has asked", async () => {
  using temp = new TempStatus();
  const id = await temp.open({ from: "engineer@1" });
  await temp.store.refresh({ agent: "engineer@1", did: "ask", issue: 42, session: "claude:a" });
  await temp.store.refresh({ agent: "engineer@2", did: "ask", issue: 42 });
  temp.nowMs += 24 * 60 * MINUTE_MS;
  await temp.store.current();
  await refusal("INVALID_INPUT", () => temp.store.checkName("engineer@1", "claude:b"));
  await temp.store.checkName("engineer@1", "claude:a");
  await temp.store.checkName("engineer@1", undefined);
  await temp.store.checkName("engineer@2", "claude:b");
  await temp.ledger.change(id, "x", (record) => void (record.status = "resolved"));
  await temp.store.checkName("engineer@1", "claude:b");
});
