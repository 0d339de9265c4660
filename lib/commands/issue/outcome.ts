/**
 * What is said of issues that wait in vain.
 *
 * @module
 */

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
} from "../../work/issue/dependencies.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { Workspace } from "../../workspace/open.ts";

/**
 * Says at once what would keep an issue from ever being ready: it waits for one that does not exist,
 * or for itself.
 */
export function noteDependencies(io: Io, { issues }: Workspace, issue: Issue): void {
  const { blockedBy, blocks } = linksOf(issue);
  if (blockedBy.length + blocks.length === 0) return;
  const { number } = issue;
  const known = issues.scan().issues;
  const numbers = new Set(known.map((other) => other.number));
  const missing = [...blockedBy, ...blocks].filter((other) => !numbers.has(other));
  for (const other of missing) {
    note(io, `#${number} names #${other}, and there is no such issue here`);
  }
  for (const cycle of findCycles(dependencyGraph(known))) {
    if (cycle.includes(number)) note(io, `these wait for each other: ${formatCycle(cycle)}`);
  }
}
