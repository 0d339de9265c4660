/**
 * Many at once: eight processes ask, and one is accepted; several answer, and one counts.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ended, TempWorkspace } from "../temp_workspace.ts";
import { askWords } from "./samples.ts";

const PROCESSES = 8;

Deno.test("Of eight processes that ask at once, one is accepted", async () => {
  using temp = new TempWorkspace();
  const ran = await Promise.all(
    Array.from(
      { length: PROCESSES },
      (_, index) =>
        ended(temp.spawn([...askWords({ session: `s${index}` }), "--no-wait", "--json"])),
    ),
  );
  const codes = ran.map(({ code }) => code).sort();
  assertEquals(codes, [...Array(PROCESSES - 1).fill(6), 7], JSON.stringify(ran));
  const refused = ran.filter(({ code }) => code === 6).map(({ err }) => JSON.parse(err).error);
  assert(refused.every(({ details }) => details.reasons.join() === "quota_project"));
  const { agent_interactions: kept } = JSON.parse(
    temp.read(".agentx/state/agent-interactions.json"),
  );
  assertEquals(kept.length, 1);
});

Deno.test("Of several answers at once, one counts, and all say which", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  await temp.run([...askWords(), "--no-wait"]);
  const ran = await Promise.all(
    ["a", "b", "c", "My own words"].map((answer) =>
      ended(temp.spawn(["answer", "ASK-001", answer, "--json"]))
    ),
  );
  assertEquals(ran.map(({ code }) => code).sort(), [0, 6, 6, 6], JSON.stringify(ran));
  const { interaction } = JSON.parse(ran.find(({ code }) => code === 0)!.out);
  for (const { err } of ran.filter(({ code }) => code === 6)) {
    const { error } = JSON.parse(err);
    assertEquals(error.code, "INVALID_TRANSITION");
    assert(error.message.includes(interaction.user_response), error.message);
  }
  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(assumptions.length, 1);
});
