/**
 * Runs of agents that are counted from what runs, whatever the environment says.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { formatRecord } from "../../../lib/lock/record.ts";
import { refusal } from "../../refusal.ts";
import { AGENTX, ASK, TempWorkspace } from "../../temp_workspace.ts";
import { again, Hub, type HubOptions, replies, request } from "../hub.ts";
import { MINUTE_MS, sampleRecord } from "../samples.ts";

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

/** Questions to an architect which nobody runs. */
async function pending(hub: Hub, issue: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id: _id, ...record } = sampleRecord();
    ids.push((await hub.ledger.add(issue, record)).id);
  }
  return ids;
}

/** Lets a process of another machine run the target of a question. */
function setRunning(state: string, id: string, nowMs: number): void {
  const timestamp = new Date(nowMs).toISOString();
  const record = { pid: 7, timestamp, agent: "engineer", host: "elsewhere", token: id };
  const text = formatRecord({ ...record, witness: "heartbeat", since: null, process: null });
  Deno.mkdirSync(`${state}/runs`, { recursive: true, mode: 0o700 });
  Deno.writeTextFileSync(`${state}/runs/${id}.json.lock`, text, { mode: 0o600 });
}

/** Questions to an architect which is being run. */
async function running(hub: Hub, issue: number, count: number): Promise<void> {
  for (const id of await pending(hub, issue, count)) {
    setRunning(`${hub.folder}/state`, id, hub.nowMs);
  }
}

/** As if each agent of the chain had been run by the one before it, on an issue of its own. */
async function askedInTurn(hub: Hub, links: number): Promise<void> {
  for (let n = 0; n < links; n++) {
    const { id: _id, ...record } = sampleRecord({}, { from: CHAIN[n], to: CHAIN[n + 1] });
    const { id } = await hub.ledger.add(100 + n, record);
    setRunning(`${hub.folder}/state`, id, hub.nowMs);
  }
}

Deno.test("ClarificationRouter refuses the 17th run for an issue and writes nothing", async () => {
  using hub = chainHub();
  await running(hub, 42, 16);
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
  await running(hub, 42, 15);
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter refuses the 65th run of all issues", async () => {
  using hub = chainHub();
  for (let issue = 1; issue <= 16; issue++) await running(hub, issue, 4);
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
    const { id } = await hub.ledger.add(7, record);
    setRunning(`${hub.folder}/state`, id, hub.nowMs);
  }
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter counts what runs, and not what waits", async () => {
  using hub = chainHub();
  await pending(hub, 42, 20);
  await pending(hub, 43, 60);
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter asks on without waiting, and where the target is not run", async () => {
  using hub = chainHub({ agents: { "product-manager": replies() } });
  await running(hub, 42, 16);
  assertEquals((await hub.router.requestClarification(request())).status, "pending");
  const later = request({ toAgent: "product-manager", blocking: false });
  assertEquals((await hub.router.requestClarification(later)).status, "pending");
});

Deno.test("ClarificationRouter counts the runs before the next round, and before a retry", async () => {
  using hub = chainHub();
  await hub.router.requestClarification(request());
  const [next] = await pending(hub, 42, 1);
  await running(hub, 42, 15);
  assertEquals((await hub.router.autoRetry(next)).newStatus, "answered");
  await running(hub, 42, 1);
  await refusal("GATE_REFUSED", () => hub.router.followUp(again()));
  assertEquals(hub.ledger.getById("CLR-42-001").status, "answered");
  const [other] = await pending(hub, 42, 1);
  await refusal("GATE_REFUSED", () => hub.router.autoRetry(other));
});

const AGAIN = [...ASK, "--again"];

Deno.test("an agent that unsets its variables and asks again runs into the limit of its issue", async () => {
  using temp = new TempWorkspace({
    isTrusted: false,
    agents: {
      architect: `cat >/dev/null; echo run >>runs; unset AGENTX_AGENT AGENTX_DEPTH
${AGENTX} --root . ${
        AGAIN.map((word) => `'${word}'`).join(" ")
      } >>nested 2>&1; echo $? >>codes; echo x`,
    },
  });
  const staleAfter = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  const clarifications = Array.from(
    { length: 14 },
    (_, n) => sampleRecord({ id: `CLR-42-${String(n + 1).padStart(3, "0")}`, staleAfter }),
  );
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  for (const { id } of clarifications) {
    setRunning(`${temp.root}/.agentx/state`, id, Date.now() + MINUTE_MS / 3);
  }
  assertEquals((await temp.trust()).code, 0); // what the environment trusts, a child does not
  assertEquals((await temp.run(AGAIN)).code, 0);
  assertEquals([temp.read("runs"), temp.read("codes")], ["run\nrun\n", "6\n0\n"]);
  assert(temp.read("nested").includes("the limit per issue is 16"));
});

Deno.test("clarify ask runs no more agents in a day than the user's setting says", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo Both." },
    config: { clarify: { maxRunsPerDay: 2, retryDelaySeconds: 0 } },
  });
  const ask = (question: string) => temp.run([...ASK.slice(0, -1), question]);
  assertEquals([(await ask("One?")).code, (await ask("Two?")).code], [0, 0]);
  const { code, err } = await ask("Three?");
  assertEquals([code, err.includes("2 runs began today, and the limit is 2")], [6, true], err);
  const { out } = await temp.run(["doctor"]);
  assert(out.includes("questions started 2 of 2 runs today"), out);
});
