// Renders issues and their parts as a tree for a terminal. Pure. Titles go through `text.ts`.

import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { formatCycle } from "../../work/issue/dependencies.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { Progress } from "../../work/issue/parents.ts";

/** A line of the tree. */
export interface TreeIssue extends Pick<Issue, "number" | "title" | "status" | "state"> {
  /** Depth in the tree; 0 if it is not shown below a parent. */
  depth: number;
  /** The progress of the leaves below it; null if it has no parts. */
  parts: Progress | null;
  /** The progress of its acceptance criteria; null if it has none. */
  criteria: Progress | null;
}

/** The issues of a tree, and its cycles. */
export interface TreeOutput {
  /** The issues, each before its parts. */
  issues: TreeIssue[];
  /** Issues that a merge made parts of each other. */
  cycles: number[][];
}

const MAX_INDENT = 24;

/** Renders a line for each issue, and one for each cycle. */
export function renderTree({ issues, cycles }: TreeOutput, { style, width }: RenderView): string {
  if (issues.length === 0) return "  No open issues.";
  return [
    ...issues.map(({ number, title, status, state, depth, parts, criteria }) => {
      const indent = " ".repeat(Math.min(MAX_INDENT, 2 + 2 * depth));
      const facts = [
        status,
        ...(parts === null ? [] : [`${countOf(parts)} done`]),
        ...(criteria === null ? [] : [`criteria ${countOf(criteria)}`]),
      ];
      const tail = ` (${terminalLine(facts.join(", "), 40)})`;
      const head = `${indent}#${number} `;
      const room = Math.max(12, width - head.length - tail.length);
      const line = terminalLine(head + terminalLine(title, room) + tail, width);
      return state === "closed" ? style.dim(line) : depth === 0 ? style.bold(line) : line;
    }),
    ...cycles.map((cycle) =>
      style.red(terminalLine(`  These are parts of each other: ${formatCycle(cycle)}`, width))
    ),
  ].join("\n");
}

/** Formats a progress as `2/5`. */
export function countOf({ done, all }: Progress): string {
  return `${done}/${all}`;
}
