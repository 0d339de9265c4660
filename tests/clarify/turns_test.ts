/**
 * The turns that agents may take on an issue: what uses them up, and what a human gives back.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { again, Hub, type HubOptions, replies, request } from "./hub.ts";
import { refusal } from "../refusal.ts";
import { MINUTE_MS } from "./samples.ts";

function busyHub(options: HubOptions = {}): Hub {
  return new Hub({
    agents: { architect: () => Promise.resolve("Both.") },
    maxTurns: 4,
    ...options,
  });
}

/** Two questions with their answers: four turns. */
async function fourTurns(hub: Hub): Promise<void> {
  for (const topic of ["One", "Two"]) {
    await hub.router.requestClarification(request({ topic }));
    hub.nowMs += MINUTE_MS;
  }
}

Deno.test("requestClarification() escalates the question beyond the turns of its issue, and says so", async () => {
  using hub = busyHub();
  await fourTurns(hub);
  const { message, details } = await refusal(
    "GATE_REFUSED",
    () => hub.router.requestClarification(request({ topic: "Three" })),
  );
  const why = "the limit of 4 turns of agents on one issue is reached";
  assertEquals(details, { gate: "turns", issueNumber: 42, reasons: [why] });
  assert(message.includes("It is escalated as CLR-42-003"), message);
  assert(message.includes("agentx answer CLR-42-003"), message);
  assert(message.includes("clarify.maxTurns"), message);
  const { status, thread } = hub.ledger.getById("CLR-42-003");
  assertEquals([status, thread[0].body], ["escalated", "PostgreSQL or SQLite?"]);
  assert(thread[1].body.startsWith(`Reason: ${why} (engineer 2, architect 2)\n`), thread[1].body);
  assertEquals(hub.names.slice(-2), ["clarification-requested", "clarification-escalated"]);
});

Deno.test("followUp() beyond the turns of its issue is escalated with the refused question", async () => {
  using hub = busyHub();
  await fourTurns(hub);
  const { details } = await refusal("GATE_REFUSED", () => hub.router.followUp(again()));
  assertEquals(details.gate, "turns");
  const { status, round, thread } = hub.ledger.getById("CLR-42-001");
  assertEquals([status, round, thread.length], ["escalated", 1, 3]);
  assert(thread[2].body.includes("\nRefused question: And pooling?\n"), thread[2].body);
});

Deno.test("requestClarification() writes nothing more while a human is to look", async () => {
  using hub = busyHub();
  await fourTurns(hub);
  await refusal("GATE_REFUSED", () => hub.router.requestClarification(request()));
  const before = hub.snapshot();
  for (
    const ask of [
      () => hub.router.requestClarification(request()),
      () => hub.router.followUp(again()),
    ]
  ) {
    const { message } = await refusal("GATE_REFUSED", ask);
    assert(message.includes("Nothing was asked; CLR-42-003 waits for a human"), message);
  }
  assertEquals(hub.snapshot(), before);
});

Deno.test("requestClarification() asks on once a human has decided", async () => {
  using hub = busyHub();
  await fourTurns(hub);
  await refusal("GATE_REFUSED", () => hub.router.requestClarification(request()));
  hub.nowMs += MINUTE_MS;
  const decision = { resolutionBody: "Two more questions, then stop.", by: "human" };
  await hub.router.resolveClarification({ clarificationId: "CLR-42-003", ...decision });
  hub.nowMs += MINUTE_MS;
  await fourTurns(hub);
  await refusal("GATE_REFUSED", () => hub.router.requestClarification(request()));
});

Deno.test("answerClarification() takes the answer to an open question beyond the turns", async () => {
  using hub = busyHub({ agents: {}, maxTurns: 1 });
  await hub.router.requestClarification(request());
  const answer = { clarificationId: "CLR-42-001", answer: "Both." };
  assertEquals((await hub.router.answerClarification(answer)).status, "answered");
});

Deno.test("requestClarification() counts the turns of each issue", async () => {
  using hub = busyHub();
  await fourTurns(hub);
  const elsewhere = await hub.router.requestClarification(request({ issueNumber: 7 }));
  assertEquals(elsewhere.status, "answered");
});

Deno.test("requestClarification() allows 40 turns unless the settings say otherwise", async () => {
  using hub = busyHub({ agents: {}, maxTurns: undefined });
  const ask = () => hub.router.requestClarification(request({ blocking: false }));
  for (let asked = 0; asked < 40; asked++) await ask();
  await refusal("GATE_REFUSED", ask);
});

Deno.test("requestClarification() escalates one of many questions that use up the turns together", async () => {
  using hub = busyHub({ agents: { architect: replies("Both.") } });
  await hub.router.requestClarification(request({ blocking: false }));
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, () => hub.router.requestClarification(request({ blocking: false }))),
  );
  assertEquals(asked.filter(({ status }) => status === "fulfilled").length, 3);
  const statuses = hub.ledger.getByIssue(42).map(({ status }) => status);
  assertEquals(statuses, ["pending", "pending", "pending", "pending", "escalated"]);
});
