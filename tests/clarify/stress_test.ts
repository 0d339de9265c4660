/**
 * Many processes on one ledger, and processes that are killed (issue 2, "Must show").
 *
 * `AGENTX_STRESS=full` runs the counts of the issue, which `deno task stress` sets.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, ended, inMemory, type Ran, signal, TempWorkspace } from "../temp_workspace.ts";
import { IS_FULL } from "../often.ts";

const ASKERS = IS_FULL ? 16 : 5;
const VICTIMS = IS_FULL ? 60 : 12;

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `CLR-42-${`${index + 1}`.padStart(3, "0")}`);
}

/** The ids that programs said they had written. */
function printed(runs: readonly Ran[]): string[] {
  return runs.flatMap(({ out }) => out.match(/CLR-42-\d{3,}(?= (?:is|waits))/g) ?? []);
}

Deno.test(`${ASKERS} processes that ask at once get an id and an answer each`, async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo Both." },
    parent: inMemory(),
  });
  const runs = await Promise.all(
    Array.from({ length: ASKERS }, () => ended(temp.spawn([...ASK, "--again"]))),
  );
  // A busy machine may make one say that it waits; that is no failure.
  const errors = runs.map(({ err }) => err.split("\n").filter((line) => !line.startsWith("note:")));
  assertEquals(errors.map((lines) => lines.join("\n")), Array(ASKERS).fill(""));
  assertEquals(runs.map(({ code }) => code), Array(ASKERS).fill(0));
  assertEquals(printed(runs).sort(), ids(ASKERS));
  const { clarifications } = temp.ledger();
  assertEquals(clarifications.map(({ id }) => id), ids(ASKERS));
  for (const { status, thread } of clarifications) {
    assertEquals([status, thread.length], ["answered", 2]);
  }
  const { agents } = await temp.json(["state"]);
  assertEquals(agents.map(({ status }: { status: string }) => status), ["idle", "working"]);
});

Deno.test("A process that is killed while it asks loses nothing that it printed", async () => {
  using temp = new TempWorkspace({ parent: inMemory() });
  temp.user.configure({ clarify: { maxTurns: 1_000 } });
  const startMs = performance.now();
  const runs: Ran[] = [await ended(temp.spawn([...ASK, "--again"]))];
  const wholeMs = performance.now() - startMs;
  let next = 0;
  const work = async () => {
    while (next++ < VICTIMS) {
      const child = temp.spawn(ASK);
      // Some are through by then, and the others are anywhere on their way.
      const delayMs = wholeMs * (0.3 + 1.4 * Math.random());
      const timer = setTimeout(() => signal(child, "SIGKILL"), delayMs);
      runs.push(await ended(child));
      clearTimeout(timer);
    }
  };
  await Promise.all([work(), work(), work()]);

  const last = await ended(temp.spawn([...ASK, "--again"]));
  assertEquals(last.code, 7);
  const written = temp.ledger().clarifications.map(({ id }) => id);
  assertEquals(written, ids(written.length));
  const said = printed([...runs, last]);
  assertEquals(said.filter((id) => !written.includes(id)), []);
  assert(runs.some(({ code }) => code !== 7), "some were killed");
});
