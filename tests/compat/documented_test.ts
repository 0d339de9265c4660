/**
 * The names and constructors that the documents use work as they show them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AgentEventBus, ClarificationMonitor, ClarificationRouter, lock } from "../../mod.ts";
import { FileLockManager, openParts } from "../../lib/compat/mod.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const ASKED = {
  issueNumber: 42,
  fromAgent: "engineer",
  toAgent: "architect",
  topic: "Database layer",
  question: "PostgreSQL or SQLite?",
  blocking: true,
};

Deno.test("new ClarificationRouter({ root }) asks, answers, resolves and escalates (SPEC-1 3.3)", async () => {
  using temp = new TempWorkspace();
  const agents = { architect: () => Promise.resolve("PostgreSQL.") };
  const router = new ClarificationRouter({ root: temp.root, agents });
  const { clarificationId, status } = await router.requestClarification(ASKED);
  assertEquals([clarificationId, status], ["CLR-42-001", "answered"]);
  const { round } = await router.followUp({ clarificationId, question: "Which version?" });
  assertEquals(round, 2);
  const resolution = { clarificationId, resolutionBody: "PostgreSQL 17." };
  assertEquals((await router.resolveClarification(resolution)).status, "resolved");

  const alone = new ClarificationRouter({ root: temp.root });
  const open = await alone.requestClarification({ ...ASKED, topic: "Cache", question: "Which?" });
  assertEquals(open.status, "pending");
  const answer = { clarificationId: open.clarificationId, answer: "Redis." };
  assertEquals((await alone.answerClarification(answer)).status, "answered");
  const summary = { clarificationId: open.clarificationId, summary: "No budget for Redis" };
  assertEquals((await alone.escalateClarification(summary)).status, "escalated");
});

Deno.test("new ClarificationMonitor({ root }) checks, retries and breaks deadlocks (SPEC-1 3.4)", async () => {
  using temp = new TempWorkspace();
  const router = new ClarificationRouter({ root: temp.root });
  const monitor = new ClarificationMonitor({
    root: temp.root,
    agents: { architect: () => Promise.resolve("PostgreSQL.") },
  });
  const { clarificationId } = await router.requestClarification(ASKED);
  assertEquals((await monitor.runCheck()).stale, []);
  const { retried, newStatus } = await monitor.autoRetry(clarificationId);
  assertEquals([retried, newStatus], [true, "answered"]);
  const pair = [clarificationId, clarificationId].map((id) => ({ id }));
  await refusal("INVALID_TRANSITION", () => monitor.breakDeadlock(pair[0], pair[1]));
  const nowhere = new ClarificationMonitor({ root: "/" });
  await refusal("NOT_INITIALISED", () => nowhere.runCheck());
});

Deno.test("MemoryPipeline.startCapture() keeps what is compacted until dispose() (SPEC-AgentX 3.1)", async () => {
  using temp = new TempWorkspace();
  const events = new AgentEventBus();
  const { memory } = await openParts({ root: temp.root, events });
  const compact = async (summary: string) => {
    const numbers = { originalTokens: 900, compactedTokens: 90, timestamp: 0 };
    await events.emit("context-compacted", {
      agent: "engineer",
      issueNumber: 42,
      summary,
      ...numbers,
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const stop = memory.startCapture();
  await compact("### Decisions\n\n- Chose per-issue JSON files for observation storage");
  stop();
  await compact("### Decisions\n\n- Chose lunr.js for the full-text search of memory");
  memory.startCapture();
  await compact("### Errors\n\n- The manifest was lost because two writers replaced it");
  memory.dispose();
  await compact("### Errors\n\n- The lock went stale because its owner was killed");
  const summaries = async (found: Promise<{ summary: string }[]>) =>
    (await found).map(({ summary }) => summary).sort();
  assertEquals(await summaries(memory.store.listByAgent("engineer")), [
    "Chose per-issue JSON files for observation storage",
    "The manifest was lost because two writers replaced it",
  ]);
  assertEquals((await memory.store.listByCategory("decision")).length, 1);
  assertEquals(await memory.store.listByAgent("reviewer"), []);
});

Deno.test("a lock on a path whose folder is missing names that folder", async () => {
  using temp = new TempWorkspace();
  const path = `${temp.root}/not/there/notes.txt`;
  for (
    const locked of [
      () => lock(path, () => {}),
      () => new FileLockManager().withSafeLock(path, "engineer", () => {}),
    ]
  ) {
    const { message, details } = await refusal("IO_ERROR", async () => await locked());
    assert(message.startsWith(`Cannot lock "${path}": its folder does not exist`), message);
    assertEquals(details, { operation: "lock", path, errno: "ENOENT" });
  }
  assert(!temp.has("not"));
});
