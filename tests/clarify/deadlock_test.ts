/**
 * A question that closes a circle of waiting agents, through the hub: who gets the escalation, and who
 * waits on.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { ClarificationRequest } from "../../lib/clarify/hub/requests.ts";
import { lockTimeout } from "../../lib/lock/backoff.ts";
import { again, Hub, type HubOptions, replies, request } from "./hub.ts";

const AGENTS = ["engineer", "architect", "reviewer"];

const FEATURE = AGENTS.map((agent) =>
  `[[steps]]\nid = "${agent}"\nagent = "${agent}"\ncan_clarify = ${JSON.stringify(AGENTS)}\n`
).join("\n");

function openHouse(options: HubOptions = {}): Hub {
  return new Hub({ workflows: { feature: FEATURE }, ...options });
}

function asks(hub: Hub, fromAgent: string, toAgent: string, changes = {}) {
  const topic = `What ${fromAgent} asks`;
  return hub.router.requestClarification(request({ fromAgent, toAgent, topic, ...changes }));
}

function statuses(hub: Hub, issue = 42): string[] {
  return hub.ledger.getByIssue(issue).map(({ status }) => status);
}

Deno.test("requestClarification() gives who closes a circle most downstream the escalation and the circle", async () => {
  using hub = openHouse();
  await asks(hub, "engineer", "architect");
  await asks(hub, "architect", "reviewer");
  const { status, answer, deadlock } = await asks(hub, "reviewer", "engineer");
  assertEquals([status, answer], ["escalated", null]);
  assertEquals(deadlock, {
    cycle: ["CLR-42-001", "CLR-42-002", "CLR-42-003"],
    escalated: ["CLR-42-003"],
    continued: ["CLR-42-001", "CLR-42-002"],
    reason: "deadlock: engineer waits for architect (CLR-42-001), " +
      "architect waits for reviewer (CLR-42-002), reviewer waits for engineer (CLR-42-003); " +
      "CLR-42-001, CLR-42-002 continue",
  });
  assertEquals(statuses(hub), ["pending", "pending", "escalated"]);
  assertEquals(hub.names.slice(-2), ["clarification-requested", "clarification-escalated"]);
});

Deno.test("requestClarification() lets who closes a circle more upstream wait, and escalates the other", async () => {
  using hub = openHouse({ agents: { engineer: replies("The fast one.") } });
  await asks(hub, "engineer", "architect");
  const { status, answer, deadlock } = await asks(hub, "architect", "engineer");
  assertEquals([status, answer, deadlock], ["answered", "The fast one.", undefined]);
  assertEquals(statuses(hub), ["escalated", "answered"]);
  assert(hub.notes.at(-1)?.startsWith("CLR-42-001 is escalated: deadlock: "), hub.notes.at(-1));
});

Deno.test("followUp() that closes a circle is given up like a first question", async () => {
  using hub = openHouse({ agents: {} });
  await asks(hub, "engineer", "architect");
  await hub.router.answerClarification({ clarificationId: "CLR-42-001", answer: "Both." });
  await asks(hub, "architect", "engineer", { issueNumber: 7 });
  const { status, deadlock } = await hub.router.followUp(again());
  assertEquals([status, deadlock?.cycle], ["escalated", ["CLR-7-001", "CLR-42-001"]]);
  assertEquals(statuses(hub, 7), ["pending"]);
});

const NO_CIRCLES: Record<string, Partial<ClarificationRequest>> = {
  "does not block": { blocking: false },
  "asks somebody else": { toAgent: "reviewer" },
};

for (const [what, changes] of Object.entries(NO_CIRCLES)) {
  Deno.test(`requestClarification() escalates no question that ${what}`, async () => {
    using hub = openHouse();
    await asks(hub, "architect", "engineer");
    const { status, deadlock } = await asks(hub, "engineer", "architect", changes);
    assertEquals([status, deadlock, statuses(hub)], ["pending", undefined, ["pending", "pending"]]);
  });
}

Deno.test("requestClarification() breaks one circle once, however many close it at a time", async () => {
  using hub = openHouse();
  const asked = await Promise.all([
    asks(hub, "engineer", "architect"),
    asks(hub, "architect", "reviewer"),
    asks(hub, "reviewer", "engineer"),
  ]);
  const deadlocked = asked.filter(({ deadlock }) => deadlock !== undefined);
  assertEquals(statuses(hub).filter((status) => status === "escalated").length, 1);
  assert(deadlocked.length <= 1);
  assertEquals(hub.names.filter((name) => name === "clarification-escalated").length, 1);
});

Deno.test("requestClarification() asks on where the circle cannot be broken now", async () => {
  using hub = openHouse();
  await asks(hub, "engineer", "architect");
  hub.ledger.changeAll = () => Promise.reject(lockTimeout(hub.ledgerPath(42), 5_000, undefined));
  assertEquals((await asks(hub, "architect", "engineer")).status, "pending");
  assert(hub.notes.at(-1)?.startsWith("CLR-42-002 is asked, and not checked for a deadlock: "));
});
