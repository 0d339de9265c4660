import { assertEquals } from "@std/assert";
import { ClarificationLedger } from "../../../lib/clarify/ledger/ledger.ts";
import { AgentStatusStore } from "../../../lib/clarify/status/status.ts";
import type { AgentxError } from "../../../lib/base/errors.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { ReadyQueue } from "../../../lib/work/queue/ready_queue.ts";
import { sampleRecord } from "../../clarify/samples.ts";
import { replace } from "../../lock/faults.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const T0 = Date.parse("2026-03-01T10:00:00.000Z");
const MINUTE = 60_000;

/** Moved by the tests. */
const clock = { nowMs: T0 };
replace("now", () => () => clock.nowMs);

/** A queue of one issue that has just been made. */
async function oneIssue(workspace: TempWorkspace) {
  clock.nowMs = T0;
  const home = `${workspace.root}/.agentx`;
  const locks = new FileLockManager();
  const notes: string[] = [];
  const issues = new IssueStore(workspace.root, locks);
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks);
  const status = new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger);
  const notify = (message: string) => void notes.push(message);
  const ready = new ReadyQueue({ issues, ledger, status, notify });
  await issues.create({ title: "x" });
  return { issues, ledger, ready, status, notes };
}

const until = (minutes: number) => new Date(T0 + minutes * MINUTE).toISOString();

Deno.test("ReadyQueue.renewLease() gives the holder another term", async () => {
  using workspace = new TempWorkspace();
  const { ready, issues } = await oneIssue(workspace);
  await ready.claim("engineer");
  clock.nowMs += 20 * MINUTE;
  const issue = await ready.renewLease(1, "engineer");
  assertEquals(issue?.leaseUntil, until(50));
  assertEquals(issues.get(1).claimed, until(0));
});

Deno.test("ReadyQueue.renewLease() and claim() keep a longer term that was given", async () => {
  using workspace = new TempWorkspace();
  const { ready, issues } = await oneIssue(workspace);
  await ready.claim("engineer", { leaseMs: 480 * MINUTE });
  assertEquals((await ready.claim("engineer", { issueNumber: 1 })).leaseUntil, until(480));
  assertEquals((await ready.renewLease(1, "engineer"))?.leaseUntil, until(480));
  const step = { step: "review", agent: "reviewer", claimed: until(0), leaseUntil: until(480) };
  await issues.change(1, "human", (issue) => void (issue.stepClaims = [step]));
  assertEquals((await ready.renewLease(1, "reviewer"))?.stepClaims, [step]);
});

Deno.test("ReadyQueue.renewLease() gives nothing to anybody else", async () => {
  using workspace = new TempWorkspace();
  const { ready, issues } = await oneIssue(workspace);
  await ready.claim("engineer");
  assertEquals(await ready.renewLease(1, "engineer@2"), undefined);
  assertEquals(await ready.renewLease(7, "engineer"), undefined);
  assertEquals([issues.get(1).assignee, issues.get(1).leaseUntil], ["engineer", until(30)]);
});

Deno.test("ReadyQueue.renewLease() brings a lease back that is over, unless somebody has it", async () => {
  using workspace = new TempWorkspace();
  const { ready } = await oneIssue(workspace);
  await ready.claim("engineer");
  clock.nowMs += 31 * MINUTE;
  assertEquals((await ready.renewLease(1, "engineer"))?.leaseUntil, until(61));
  clock.nowMs += 31 * MINUTE;
  await ready.claim("reviewer");
  assertEquals(await ready.renewLease(1, "engineer"), undefined);
});

Deno.test("ReadyQueue.renewLease() gives an assignee without a lease none", async () => {
  using workspace = new TempWorkspace();
  const { ready, issues } = await oneIssue(workspace);
  await issues.change(1, "human", (issue) => {
    issue.assignee = "engineer";
  });
  assertEquals((await ready.renewLease(1, "engineer"))?.leaseUntil, null);
});

Deno.test("ReadyQueue.release() returns the issue to the queue", async () => {
  using workspace = new TempWorkspace();
  const { ready } = await oneIssue(workspace);
  await ready.claim("pm");
  assertEquals((await ready.list()).ready, []);
  assertEquals((await ready.release(1, "product-manager"))?.assignee, null);
  assertEquals((await ready.list()).ready.length, 1);
});

/** What the engineer works on, as the status file says. */
async function workOf({ status }: { status: AgentStatusStore }): Promise<string> {
  const { base } = (await status.current()).engineer;
  return `${base.status} ${base.issue === null ? "on nothing" : `#${base.issue}`}`;
}

Deno.test("ReadyQueue has the status of an agent follow its claims", async () => {
  using workspace = new TempWorkspace();
  const parts = await oneIssue(workspace);
  const { ready, issues } = parts;
  for (let i = 0; i < 3; i++) await issues.create({ title: "x" });
  const seen: string[] = [];
  const see = async () => void seen.push(await workOf(parts));
  await ready.claim("engineer");
  await see();
  await ready.claim("engineer"); // a second one, beside the first
  await see();
  await issues.update(1, { status: "Done" });
  await ready.claim("engineer");
  await see();
  await ready.release(2, "engineer");
  await see();
  await ready.release(3, "engineer");
  await see();
  assertEquals(seen, ["working #1", "working #1", "working #3", "working #3", "idle on nothing"]);
});

Deno.test("ReadyQueue.claim() leaves an agent at the issue that its question is about", async () => {
  using workspace = new TempWorkspace();
  const parts = await oneIssue(workspace);
  const { ready, issues, ledger, status } = parts;
  await issues.create({ title: "x" });
  await status.refresh({ agent: "engineer", did: "ask", issue: 1 });
  const { id: _, ...record } = sampleRecord();
  await ledger.add(1, record);
  await ready.claim("engineer", { issueNumber: 2 });
  assertEquals(await workOf(parts), "working #1");
});

for (const nameOf of [(index: number) => `engineer@${index + 1}`, () => "engineer"]) {
  Deno.test(`ReadyQueue.claim() by many at once gives each issue once: ${nameOf(0)}`, async () => {
    using workspace = new TempWorkspace();
    const { ready, issues } = await oneIssue(workspace);
    for (let i = 0; i < 9; i++) await issues.create({ title: "x" });
    const claims = await Promise.allSettled(
      Array.from({ length: 15 }, (_, index) => ready.claim(nameOf(index))),
    );
    const taken = claims.flatMap((claim) =>
      claim.status === "fulfilled" ? [claim.value.number] : []
    );
    assertEquals(taken.sort((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const codes = claims.flatMap((claim) =>
      claim.status === "rejected" ? [(claim.reason as AgentxError).code] : []
    );
    assertEquals(codes, Array(5).fill("NOT_FOUND"));
  });
}

Deno.test("ReadyQueue.claim() holds where the statuses cannot be read, and says so", async () => {
  using workspace = new TempWorkspace();
  const { ready, notes } = await oneIssue(workspace);
  workspace.write(".agentx/state/agent-status.json", "{");
  assertEquals((await ready.claim("engineer")).assignee, "engineer");
  assertEquals(notes.length, 1);
});

Deno.test("ReadyQueue.list() takes nobody for gone where the statuses cannot be read", async () => {
  using workspace = new TempWorkspace();
  const { ready } = await oneIssue(workspace);
  await ready.claim("engineer");
  workspace.write(".agentx/state/agent-status.json", "{");
  const { ready: issues, problems } = await ready.list();
  assertEquals([issues.length, problems.map(({ code }) => code)], [0, ["CORRUPT_STATE"]]);
});
