/**
 * The tool `ask_user` of the loop: it goes through the gate, pauses the loop, and asks once, whoever was
 * killed when.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { STRIPE, TOOL_INPUT } from "../gate/samples.ts";
import { dieAfter, LoopPlace } from "./loop_place.ts";
import type { ScriptedTurn } from "./scripted_turns.ts";

const SCRIPT: ScriptedTurn[] = [{ calls: [["ask_user", TOOL_INPUT]] }, { text: "Done." }];

async function resume(place: LoopPlace, id: string) {
  return await (await place.loop({ script: SCRIPT })).resume(id);
}

async function interactions(place: LoopPlace) {
  return await (await (await place.open()).gate()).list();
}

/** What the model was told. */
function told(place: LoopPlace, id: string): string {
  const [, turn] = place.transcript(id).turns;
  return turn.role === "assistant" ? turn.calls[0].result ?? "" : "";
}

Deno.test("ask_user pauses the loop until the human answers, and asks once", async () => {
  using place = new LoopPlace();
  const { id, exit, text } = await place.run(SCRIPT);
  assertEquals(exit, "paused");
  assert(text.includes("agentx answer ASK-001 a|b|TEXT"), text);
  assertEquals((await resume(place, id)).exit, "paused");
  await (await (await place.open()).gate()).answer("ASK-001", "b");
  assertEquals((await resume(place, id)).exit, "complete");
  const [asked, ...others] = await interactions(place);
  assertEquals(others, []);
  assertEquals([asked.request.issue, asked.toldAt === null], [42, false]);
  assert(told(place, id).includes(`(b) ${STRIPE.options[1]}`), told(place, id));
});

Deno.test("ask_user: the loop goes on with the fallback once its time is over", async () => {
  using place = new LoopPlace();
  const { id } = await place.run(SCRIPT);
  await (await (await place.open()).gate()).expire("ASK-001");
  assertEquals((await resume(place, id)).exit, "complete");
  assert(told(place, id).includes("the fallback is taken: (a)"), told(place, id));
});

Deno.test("ask_user: what the gate refuses the model is told, and goes on", async () => {
  using place = new LoopPlace();
  const { id, exit } = await place.run([
    { calls: [["ask_user", { ...TOOL_INPUT, phase: "qa", codebase_search: "none" }]] },
    { text: "I took test mode." },
  ]);
  assertEquals([exit, await interactions(place)], ["complete", []]);
  assert(told(place, id).includes("this is not the planning phase"), told(place, id));
});

Deno.test("ask_user, killed at every write and resumed, asks the human once", async () => {
  let isOver = false;
  let kills = 0;
  for (let writes = 0; !isOver; writes++) {
    using place = new LoopPlace();
    {
      using death = dieAfter(writes);
      await place.run(SCRIPT).catch((error) => assert(death.isDead, error));
      isOver = !death.isDead;
      if (death.isDead) kills++;
    }
    const [begun] = place.sessions();
    const { id, exit } = begun === undefined ? await place.run(SCRIPT) : await resume(place, begun);
    const all = (await interactions(place)).map(({ id, status }) => [id, status]);
    assertEquals([writes, exit, all], [writes, "paused", [["ASK-001", "pending"]]]);
    await (await (await place.open()).gate()).answer("ASK-001", "b");
    assertEquals((await resume(place, id)).exit, "complete");
  }
  assert(kills > 10, `${kills} kills`);
});
