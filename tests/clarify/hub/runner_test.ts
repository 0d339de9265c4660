import { assertEquals } from "@std/assert";
import { Runner } from "../../../lib/clarify/hub/runner.ts";
import { Runs } from "../../../lib/clarify/runs/runs.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { Hub, replies, request } from "../hub.ts";
import { sampleRecord } from "../samples.ts";

const ID = "CLR-42-001";

for (const status of ["pending", "stale"] as const) {
  Deno.test(`Runner.look() runs a ${status} question after another process that was killed`, async () => {
    using hub = new Hub({ agents: { architect: replies("Both.") } });
    await hub.ledger.add(42, sampleRecord({ status }));
    const runs = new Runs(`${hub.folder}/state/runs`);
    const nobody = runs.look(ID);
    runs.look = () => nobody; // as if the other were a moment faster
    const runner = runnerOf(hub, runs);
    await new Runs(`${hub.folder}/state/runs`).hold(ID, "engineer", async () => {
      assertEquals(await runner.look(), []);
      await runner.end();
    });
    assertEquals(await runner.look(), []);
    await runner.end();
    assertEquals((await runner.look()).map(({ answer }) => answer), ["Both."]);
    assertEquals(hub.notes, []);
  });
}

/** What passes. */
const PASSING = [
  new AgentxError("LOCK_TIMEOUT", "The ledger is busy", {
    details: { path: "x", waitedMs: 1, holder: null },
  }),
  new AgentxError("GATE_REFUSED", "Too many runs", {
    details: { gate: "runs", issueNumber: 42, reasons: [] },
  }),
];

for (const error of PASSING) {
  Deno.test(`Runner.look() runs a question again that met ${error.code}, and says so once`, async () => {
    using hub = new Hub({ agents: { architect: replies("Both.") } });
    await hub.ledger.add(42, sampleRecord());
    const { router } = hub;
    const runOpen = router.runOpen.bind(router);
    const failures = [error, error];
    router.runOpen = (...call) => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : runOpen(...call);
    };
    const runner = runnerOf(hub);
    assertEquals(await runner.look(), []);
    await runner.end();
    assertEquals([await runner.look(), failures.length], [[], 1]); // not at once
    let answers: unknown[] = [];
    for (let left = 3_000; answers.length === 0 && left > 0; left--) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      answers = (await runner.look()).map(({ answer }) => answer);
    }
    assertEquals(answers, ["Both."]);
    const note = `${ID} stays open: ${error.message}; trying again at growing intervals`;
    assertEquals(hub.notes, [note]);
  });
}

Deno.test("Runner.look() tells of a question that was asked without waiting, beside another", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.", "Both.") }, pauses: true });
  hub.nowMs = Date.now(); // by which the runner is seen
  const runs = new Runs(`${hub.folder}/state/runs`);
  await runs.serve(undefined, async () => {
    await hub.router.requestClarification(request({ blocking: false }));
    const asked = hub.router.requestClarification(request());
    const runner = runnerOf(hub);
    const told: string[] = [];
    for (let left = 3_000; told.length < 2 && left > 0; left--) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      told.push(...(await runner.look()).map(({ clarificationId }) => clarificationId));
    }
    await asked;
    assertEquals(told.sort(), [ID, "CLR-42-002"]);
  });
});

function runnerOf(hub: Hub, runs: Runs = new Runs(`${hub.folder}/state/runs`)): Runner {
  const { ledger } = hub;
  const router = () => Promise.resolve(hub.router);
  const notify = (message: string) => void hub.notes.push(message);
  const { signal } = new AbortController();
  return new Runner({ ledger, router, runs, role: undefined, canRun: () => true, notify, signal });
}
