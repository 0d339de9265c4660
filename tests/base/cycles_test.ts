import { assert, assertEquals } from "@std/assert";
import { cyclesIn } from "../../lib/base/cycles.ts";
import { growth } from "../count_steps.ts";

Deno.test("cyclesIn() gives each circle in the order of its links", () => {
  const next = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", ["b"]], ["d", ["d"]]]);
  assertEquals(cyclesIn(next), [["b", "c"], ["d"]]);
});

Deno.test("cyclesIn() finds none in a chain and in a diamond", () => {
  assertEquals(cyclesIn(new Map([[1, [2, 3]], [2, [4]], [3, [4]]])), []);
});

Deno.test("cyclesIn() gives a hundred circles at most", () => {
  const nodes = Array.from({ length: 1_000 }, (_, node) => node);
  const next = new Map(nodes.map((node) => [node, node === 999 ? nodes : [node + 1]]));
  assertEquals(cyclesIn(next).length, 100);
});

for (const [shape, last] of [["chain", []], ["ring", [0]]] as const) {
  Deno.test(`cyclesIn() walks over a long ${shape} once`, async () => {
    const walk = (size: number) => {
      cyclesIn(new Map(Array.from({ length: size }, (_, i) => [i, i < size - 1 ? [i + 1] : last])));
    };
    assert(await growth(walk, 500) < 10);
  });
}
