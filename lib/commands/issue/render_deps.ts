// Renders the dependencies of an issue as a tree for a terminal, and as a Mermaid chart. Pure. Titles go through
// `text.ts`; in a chart, all but plain characters are escaped.

import { addTo } from "../../base/groups.ts";
import { mermaidLabel, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { formatCycle } from "../../work/issue/dependencies.ts";
import type { Dependencies, Dependency } from "./dependency_graph.ts";

const MAX_INDENT = 24;
const MAX_LABEL = 60;

/** Renders both directions as trees, with each issue expanded once, and the cycles. */
export function renderDependencies(dependencies: Dependencies, view: RenderView): string {
  const { issue, issues, edges, cycles } = dependencies;
  const { style, width } = view;
  const known = new Map(issues.map((issue) => [issue.number, issue]));
  const blockers = neighbours(edges.map(({ waiter, blocker }) => [waiter, blocker]));
  const waiters = neighbours(edges.map(({ waiter, blocker }) => [blocker, waiter]));
  const section = (heading: string, next: Map<number, number[]>) => {
    const lines = treeOf(issue.number, next).map(({ number, depth, isRepeated }) => {
      const indent = " ".repeat(Math.min(MAX_INDENT, 2 + 2 * depth));
      const line = indent + describe(known.get(number)!) + (isRepeated ? " (see above)" : "");
      const text = terminalLine(line, width);
      return known.get(number)!.state === "closed" ? style.dim(text) : text;
    });
    return lines.length === 0 ? [] : [style.bold(`  ${heading}`), ...lines];
  };
  const sections = [...section("waits for", blockers), ...section("is waited for by", waiters)];
  return [
    terminalLine(`  ${describe(issue)}`, width),
    ...(sections.length === 0
      ? [style.dim("  It waits for nothing, and nothing waits for it.")]
      : sections),
    ...cycles.map((cycle) =>
      style.red(terminalLine(`  These wait for each other: ${formatCycle(cycle)}`, width))
    ),
  ].join("\n");
}

/** Returns a Mermaid chart; each arrow points from the issue that waits to its blocker. */
export function mermaidOf({ issues, edges }: Dependencies): string {
  return [
    "graph LR",
    ...issues.map((issue) => `  i${issue.number}["${labelOf(issue)}"]`),
    ...edges.map(({ waiter, blocker }) => `  i${waiter} -->|waits for| i${blocker}`),
  ].join("\n");
}

function labelOf(issue: Dependency): string {
  return mermaidLabel(terminalLine(describe(issue), MAX_LABEL));
}

function describe({ number, title, status }: Dependency): string {
  return title === null ? `#${number} (missing or unreadable)` : `#${number} ${title} (${status})`;
}

function neighbours(pairs: readonly (readonly [number, number])[]): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (const [from, to] of pairs) addTo(map, from, to);
  return map;
}

interface TreeLine {
  number: number;
  /** Depth in the tree, from 1. */
  depth: number;
  /** Whether the issue is expanded further up. */
  isRepeated: boolean;
}

/** Lists everything reachable from a root, depth first; each issue is expanded once. */
function treeOf(root: number, next: Map<number, number[]>): TreeLine[] {
  const lines: TreeLine[] = [];
  const shown = new Set([root]);
  const childrenOf = (number: number, depth: number) =>
    (next.get(number) ?? []).map((number) => ({ number, depth })).reverse();
  const todo = childrenOf(root, 1);
  for (let line = todo.pop(); line !== undefined; line = todo.pop()) {
    const { number, depth } = line;
    const isRepeated = shown.has(number);
    lines.push({ number, depth, isRepeated });
    shown.add(number);
    if (!isRepeated) todo.push(...childrenOf(number, depth + 1));
  }
  return lines;
}
