/**
 * Sessions that are killed at any moment, in one repository: no question is left that nobody can answer,
 * and none is answered twice.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { ASK, ended, TempWorkspace } from "../temp_workspace.ts";

const SESSIONS = [
  ["engineer@1", "architect", "42"],
  ["engineer@2", "architect", "43"],
  ["architect", "product-manager", "42"],
  ["engineer@1", "product-manager", "44"],
];

const TURNS = Deno.env.get("AGENTX_STRESS") === "full" ? 12 : 3;

const ANSWERS = `id=$(grep -o 'CLR-[0-9]*-[0-9]*' | head -1); sleep 0.2; echo "Answer to $id"`;

Deno.test("no question is orphaned by kill -9, and each is answered once", async () => {
  using temp = new TempWorkspace({
    agents: { architect: ANSWERS, "product-manager": ANSWERS },
  });
  for (let turn = 0; turn < TURNS; turn++) {
    const children = SESSIONS.map(([from, to, issue], index) => {
      const words = ASK.with(3, issue).with(5, from).with(7, to).with(9, `Topic ${turn} ${index}`);
      const child = temp.spawn(words.with(-1, `Question ${turn} ${index}?`));
      const killMs = 100 + ((turn * SESSIONS.length + index) * 97) % 500;
      const timer = setTimeout(() => child.kill("SIGKILL"), killMs);
      return ended(child).finally(() => clearTimeout(timer));
    });
    await Promise.all(children);
    const { clarifications, runs } = await temp.json(["clarify"]);
    const open = runs.filter(({ state }: { state: string }) => state === "nobody");
    assertEquals(open.length, runs.length, "a killed session is seen to be gone at once");
    for (const { clarificationId: id } of runs) {
      assertEquals([id, (await temp.run(["clarify", "retry", id])).code], [id, 0]);
    }
    assertEquals(
      clarifications.some(({ status }: { status: string }) => status === "abandoned"),
      false,
    );
  }
  const { clarifications } = await temp.json(["clarify"]);
  for (const { id, status, thread } of clarifications) {
    const answers = thread.filter(({ type }: { type: string }) => type === "answer");
    assertEquals([status, answers.length, answers[0].body], ["answered", 1, `Answer to ${id}`]);
  }
});
