/**
 * Deadlines: by whose clock they are, and who evaluates them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { untilEnded } from "../../lib/gate/wait.ts";
import { sys } from "../../lib/sys/mod.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { STRIPE } from "./samples.ts";

const HOUR_MS = 3_600_000;

/** The wall clock jumps; it is put right at the end of the block. */
function jump(ms: number): Disposable {
  const { now } = sys;
  sys.now = () => now() + ms;
  return { [Symbol.dispose]: () => void (sys.now = now) };
}

Deno.test("A clock that jumps back during a countdown does not prolong it", async () => {
  using temp = new TempWorkspace();
  const gate = await (await openWorkspaceParts({ root: temp.root })).gate();
  const { id, deadline } = await gate.ask(STRIPE, { timeout: "400ms" });
  const lefts: number[] = [];
  const signal = AbortSignal.timeout(30_000);
  const waiting = untilEnded(gate, id, { signal, onLook: (_, leftMs) => lefts.push(leftMs) });
  while (lefts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  using _clock = jump(-HOUR_MS);
  const { outcome, resolved_at } = await waiting;
  assertEquals([outcome, resolved_at], ["timeout", deadline]);
  assert(lefts.every((leftMs) => leftMs <= 400), String(lefts));
});

Deno.test("Whoever reads next evaluates a deadline, and the outcome is of the deadline", async () => {
  using temp = new TempWorkspace();
  const gate = await (await openWorkspaceParts({ root: temp.root })).gate();
  const { id, deadline } = await gate.ask(STRIPE);
  using _clock = jump(24 * HOUR_MS);
  const other = await (await openWorkspaceParts({ root: temp.root })).gate();
  const { outcome, resolved_at } = await other.get(id);
  assertEquals([outcome, resolved_at], ["timeout", deadline]);
  const [assumption] = other.assumptions.list();
  assertEquals([assumption.created, assumption.status], [deadline, "open"]);
  const next = await other.ask({ ...STRIPE, session: "s2" }); // nothing is active any more
  assertEquals(next.status, "pending");
});

Deno.test("An assumption that a killed process left out is made up for by the next reader", async () => {
  using temp = new TempWorkspace();
  const gate = await (await openWorkspaceParts({ root: temp.root })).gate();
  const { id } = await gate.ask(STRIPE);
  await gate.answer(id, "b");
  temp.write(".agentx/state/assumptions.json", '{ "version": 1, "assumptions_made": [] }');
  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(
    assumptions.map((one: Record<string, string>) => [one.clarificationId, one.status]),
    [[id, "confirmed"]],
  );
});

Deno.test("A holder of the countdown that has died holds nothing", async () => {
  using temp = new TempWorkspace();
  const gate = await (await openWorkspaceParts({ root: temp.root })).gate();
  const { id, deadline } = await gate.ask(STRIPE, { timeout: "1s" });
  await gate.hold(id, true);
  {
    using _clock = jump(HOUR_MS);
    assertEquals((await gate.get(id)).status, "pending");
    const path = ".agentx/state/agent-interactions.json";
    temp.write(path, temp.read(path).replace(/"start": "[^"]*"/, '"start": "1"'));
    const { outcome, resolved_at } = await gate.get(id);
    assertEquals([outcome, resolved_at], ["timeout", deadline]);
  }
});
