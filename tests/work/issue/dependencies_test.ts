import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
  openBlockers,
  replaceReferences,
} from "../../../lib/work/issue/dependencies.ts";
import { type Issue, newIssue } from "../../../lib/work/issue/issue.ts";

const issue = (number: number, part: Partial<Issue> = {}) =>
  newIssue({ number, uid: `u${number}`, created: "2026-03-01T10:00:00.000Z", ...part });

const waiting = (number: number, ...blockers: number[]) =>
  issue(number, { labels: blockers.map((blocker) => `blocked_by:#${blocker}`) });

const links = (labels: string[], body: string) => {
  const { blockedBy, blocks } = linksOf({ labels, body });
  return { blockedBy, blocks };
};

const bodyLinks = (section: string) =>
  links([], `Intro, blocked by #99\n\n## Dependencies\n${section}`);

Deno.test("linksOf() reads labels in all their spellings", () => {
  const labels = ["blocked_by:#1", "blocked-by:2", "Blocked_By:#3", "blocks:#4", "blocked_by:x"];
  assertEquals(links(labels, ""), { blockedBy: [1, 2, 3], blocks: [4] });
});

Deno.test("linksOf() reads the section of the body as the documents write it", () => {
  assertEquals(bodyLinks("\nBlocked by #12, #13\nBlocks #14\n"), {
    blockedBy: [12, 13],
    blocks: [14],
  });
});

Deno.test("linksOf() reads lists, emphasis and both statements on one line", () => {
  const section = "- **Blocked by**: #1 (schema) and #2\n* [ ] blocked-by #3\n1. x\n" +
    "Blocks #4, blocked by #5";
  assertEquals(bodyLinks(section), { blockedBy: [1, 2, 3, 5], blocks: [4] });
});

Deno.test("linksOf() reads no prose: only a line that begins with the statement", () => {
  const section = "This is not blocked by #1.\nNone of it blocks #2\nSee #3\nUnblocks #4";
  assertEquals(bodyLinks(section), { blockedBy: [], blocks: [] });
});

Deno.test("linksOf() ends the section at the next heading of its level", () => {
  const section = "### Hard\nBlocked by #1\n## Notes\nBlocked by #2\n";
  assertEquals(bodyLinks(section).blockedBy, [1]);
});

Deno.test("linksOf() reads no section in code or comments", () => {
  const fenced = "```\n## Dependencies\nBlocked by #1\n```\n";
  const hidden = "<!--\n## Dependencies\nBlocked by #1\n-->\n";
  assertEquals(linksOf({ labels: [], body: fenced + hidden }).blockedBy, []);
});

Deno.test("dependencyGraph() joins what both sides say", () => {
  const graph = dependencyGraph([waiting(3, 1), issue(1, { labels: ["blocks:#3", "blocks:#2"] })]);
  assertEquals([...graph.blockedBy], [[3, [1]], [2, [1]]]);
  assertEquals([...graph.blocks], [[1, [2, 3]]]);
});

Deno.test("openBlockers() leaves out what is closed, and keeps what does not exist", () => {
  const issues = [waiting(1, 2, 3, 4), issue(2, { state: "closed" }), issue(3)];
  const known = new Map(issues.map((issue) => [issue.number, issue]));
  assertEquals(openBlockers(issues[0], dependencyGraph(issues), known), [3, 4]);
});

Deno.test("findCycles() names a circle once, from its lowest number on", () => {
  const graph = dependencyGraph([waiting(9, 4), waiting(4, 7), waiting(7, 9), waiting(1, 4)]);
  const cycles = findCycles(graph);
  assertEquals(cycles, [[4, 7, 9]]);
  assertEquals(formatCycle(cycles[0]), "#4 -> #7 -> #9 -> #4");
});

Deno.test("findCycles() finds an issue that waits for itself", () => {
  assertEquals(findCycles(dependencyGraph([waiting(5, 5)])), [[5]]);
});

Deno.test("findCycles() is content with a long chain and with diamonds", () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => waiting(index + 1, index + 2));
  assertEquals(findCycles(dependencyGraph(chain)), []);
  assertEquals(findCycles(dependencyGraph([waiting(1, 2, 3), waiting(2, 4), waiting(3, 4)])), []);
});

Deno.test("findCycles() finds circles, and finds one wherever there is one", () => {
  const edges = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })));
  fc.assert(fc.property(edges, (edges) => {
    const issues = edges.map(([waiter, blocker]) => waiting(waiter, blocker));
    const graph = dependencyGraph(issues);
    const cycles = findCycles(graph);
    for (const cycle of cycles) {
      cycle.forEach((number, index) => {
        const next = cycle[(index + 1) % cycle.length];
        assert(graph.blockedBy.get(number)?.includes(next));
      });
    }
    // Whoever can reach itself reaches a circle that was found.
    const found = new Set(cycles.flat());
    for (const start of graph.blockedBy.keys()) {
      const reached = new Set(graph.blockedBy.get(start));
      for (const number of reached) {
        graph.blockedBy.get(number)?.forEach((next) => reached.add(next));
      }
      if (reached.has(start)) assert([...reached].some((number) => found.has(number)));
    }
  }));
});

Deno.test("linksOf() and replaceReferences() leave other projects and addresses alone", () => {
  const body = "## Dependencies\n- Blocked by upstream/lib#1 (https://host/x#1, &#1;), #2 and #1\n";
  assertEquals(linksOf({ labels: [], body }).blockedBy, [2, 1]);
  const replaced = replaceReferences(body, (number) => `#${number + 2}`);
  assertEquals(replaced, body.replace("#2 and #1", "#4 and #3"));
});
