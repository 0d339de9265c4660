import { assertEquals } from "@std/assert";
import { makeStyle } from "../../../lib/text/style.ts";
import { renderDependencies } from "../../../lib/commands/issue/render_deps.ts";

Deno.test("renderDependencies() lists all that an issue waits for, and what is behind it once", () => {
  const issues = [1, 2, 3, 4].map((number) => ({
    number,
    title: `Part ${number}`,
    status: "Ready",
    state: "open" as const,
  }));
  const edges = [[1, 2], [1, 3], [2, 4], [3, 4]].map(([waiter, blocker]) => ({ waiter, blocker }));
  const dependencies = { issue: issues[0], issues, edges, cycles: [] };
  const text = renderDependencies(dependencies, { style: makeStyle(false), width: 80 });
  assertEquals(text.split("\n"), [
    "  #1 Part 1 (Ready)",
    "  waits for",
    "    #2 Part 2 (Ready)",
    "      #4 Part 4 (Ready)",
    "    #3 Part 3 (Ready)",
    "      #4 Part 4 (Ready) (see above)",
  ]);
});
