import { assertEquals } from "@std/assert";
import { countNames, groupBy } from "../../lib/base/groups.ts";

Deno.test("groupBy() keeps the order of keys and of values", () => {
  const lists = groupBy([3, 8, 1, 4], (value) => value % 2 === 0 ? "even" : "odd");
  assertEquals([...lists], [["odd", [3, 1]], ["even", [8, 4]]]);
});

Deno.test("countNames() gives the most frequent first, and equals in their order", () => {
  assertEquals(countNames(["b", "a", "c", "c"]), [
    { name: "c", count: 2 },
    { name: "b", count: 1 },
    { name: "a", count: 1 },
  ]);
});
