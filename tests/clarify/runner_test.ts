import { assertEquals } from "@std/assert";
import { Runner } from "../../lib/clarify/runner.ts";
import { Runs } from "../../lib/clarify/runs.ts";
import { Hub, replies } from "./hub.ts";
import { sampleRecord } from "./samples.ts";

const ID = "CLR-42-001";

for (const status of ["pending", "stale"] as const) {
  Deno.test(`Runner.look() runs a ${status} question after another process that was killed`, async () => {
    using hub = new Hub({ agents: { architect: replies("Both.") } });
    await hub.ledger.add(42, sampleRecord({ status }));
    const { ledger, router } = hub;
    const runs = new Runs(`${hub.folder}/state/runs`);
    const nobody = await runs.look(ID);
    runs.look = () => Promise.resolve(nobody); // as if the other were a moment faster
    const notify = (message: string) => void hub.notes.push(message);
    const { signal } = new AbortController();
    const canRun = () => true;
    const runner = new Runner({ ledger, router, runs, role: undefined, canRun, notify, signal });
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
