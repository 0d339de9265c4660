/**
 * Runs of agents that are counted from the ledgers, whatever the environment says.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { refusal } from "../refusal.ts";
import { AGENTX, ASK, TempWorkspace } from "../temp_workspace.ts";
import { again, Hub, type HubOptions, replies, request } from "./hub.ts";
import { MINUTE_MS, sampleRecord } from "./samples.ts";

/** A chain of agents each of which may ask the next one. */
const CHAIN = [
  "engineer",
  "architect",
  "product-manager",
  "ux-designer",
  "data-scientist",
  "tester",
];

const EVERYBODY = CHAIN.map((agent) =>
  `[[steps]]\nid = "${agent}"\nagent = "${agent}"\ncan_clarify = ${JSON.stringify(CHAIN)}\n`
).join("\n");

function chainHub(options: HubOptions = {}): Hub {
  const agents = Object.fromEntries(CHAIN.map((agent) => [agent, replies("x", "x", "x")]));
  return new Hub({ workflows: { feature: EVERYBODY }, agents, ...options });
}

/** Questions that wait for an architect which is being run. */
async function pending(hub: Hub, issue: number, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { id: _id, ...record } = sampleRecord();
    await hub.ledger.add(issue, record);
  }
}

/** As if each agent of the chain had been run by the one before it, on an issue of its own. */
async function askedInTurn(hub: Hub, links: number): Promise<void> {
  for (let n = 0; n < links; n++) {
    const { id: _id, ...record } = sampleRecord({}, { from: CHAIN[n], to: CHAIN[n + 1] });
    await hub.ledger.add(100 + n, record);
  }
}

Deno.test("ClarificationRouter refuses the 17th run for an issue and writes nothing", async () => {
  using hub = chainHub();
  await pending(hub, 42, 16);
  const before = hub.snapshot();
  const { details, message } = await refusal(
    "GATE_REFUSED",
    () => hub.router.requestClarification(request()),
  );
  assertEquals([details.gate, details.issueNumber], ["runs", 42]);
  assert(message.includes("the limit per issue is 16"), message);
  assertEquals(hub.snapshot(), before);
});

Deno.test("ClarificationRouter allows the 16th run for an issue", async () => {
  using hub = chainHub();
  await pending(hub, 42, 15);
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter refuses the 65th run of all issues", async () => {
  using hub = chainHub();
  for (let issue = 1; issue <= 16; issue++) await pending(hub, issue, 4);
  const { message } = await refusal(
    "GATE_REFUSED",
    () => hub.router.requestClarification(request()),
  );
  assert(message.includes("the limit is 64"), message);
});

Deno.test("ClarificationRouter refuses an agent that was asked in a chain of four", async () => {
  using hub = chainHub();
  await askedInTurn(hub, 4);
  const next = { fromAgent: "data-scientist", toAgent: "tester" };
  const { message } = await refusal(
    "GATE_REFUSED",
    () => hub.router.requestClarification(request(next)),
  );
  assert(message.includes("4 levels deep, and the limit is 4"), message);
  const worker = { ...next, fromAgent: "data-scientist@2" };
  await refusal("GATE_REFUSED", () => hub.router.requestClarification(request(worker)));
});

Deno.test("ClarificationRouter runs an agent that was asked in a chain of three", async () => {
  using hub = chainHub();
  await askedInTurn(hub, 3);
  const next = { fromAgent: "ux-designer", toAgent: "tester" };
  assertEquals((await hub.router.requestClarification(request(next))).status, "answered");
});

Deno.test("ClarificationRouter counts no agents that ask in a circle as a chain without end", async () => {
  using hub = chainHub();
  for (const [from, to] of [["engineer", "architect"], ["architect", "engineer"]]) {
    const { id: _id, ...record } = sampleRecord({}, { from, to, blocking: false });
    await hub.ledger.add(7, record);
  }
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter does not count what nobody runs, or what has waited too long", async () => {
  using hub = chainHub({ agents: { "product-manager": replies("x") } });
  await pending(hub, 42, 20); // for an architect without a command
  const ask = () => hub.router.requestClarification(request({ toAgent: "product-manager" }));
  assertEquals((await ask()).status, "answered");
  using late = chainHub();
  await pending(late, 42, 20);
  late.nowMs += 31 * MINUTE_MS;
  assertEquals((await late.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter asks on where the target is not run", async () => {
  using hub = chainHub({ agents: { "product-manager": replies() } });
  await pending(hub, 42, 20);
  assertEquals((await hub.router.requestClarification(request())).status, "pending");
});

Deno.test("ClarificationRouter counts the runs before the next round, and before a retry", async () => {
  using hub = chainHub();
  await hub.router.requestClarification(request());
  await pending(hub, 42, 16);
  await refusal("GATE_REFUSED", () => hub.router.followUp(again()));
  assertEquals(hub.ledger.getById("CLR-42-001").status, "answered");
  assertEquals((await hub.router.autoRetry("CLR-42-002")).newStatus, "answered");
  await pending(hub, 42, 2);
  await refusal("GATE_REFUSED", () => hub.router.autoRetry("CLR-42-003"));
});

Deno.test("an agent that unsets its variables and asks again runs into the limit of its issue", async () => {
  using temp = new TempWorkspace({
    isTrusted: false,
    agents: {
      architect: `cat >/dev/null; echo run >>runs; unset AGENTX_AGENT AGENTX_DEPTH
${AGENTX} --root . ${
        ASK.map((word) => `'${word}'`).join(" ")
      } >>nested 2>&1; echo $? >>codes; echo x`,
    },
  });
  const staleAfter = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  const clarifications = Array.from(
    { length: 14 },
    (_, n) => sampleRecord({ id: `CLR-42-${String(n + 1).padStart(3, "0")}`, staleAfter }),
  );
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  assertEquals((await temp.trust()).code, 0); // what the environment trusts, a child does not
  assertEquals((await temp.run(ASK)).code, 0);
  assertEquals([temp.read("runs"), temp.read("codes")], ["run\nrun\n", "6\n0\n"]);
  assert(temp.read("nested").includes("the limit per issue is 16"));
});
