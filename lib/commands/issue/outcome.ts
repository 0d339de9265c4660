/**
 * What the commands that change an issue have in common: how the outcome looks, and what is said of
 * issues that cannot be read or that wait in vain.
 *
 * @module
 */

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { type AgentxError, EXIT_CODES } from "../../errors.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
} from "../../work/issue/dependencies.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Names the files that were left out or read around something, with what to do about them. */
export function noteProblems(io: Io, problems: readonly AgentxError[]): number {
  for (const { oneLine } of problems) note(io, oneLine);
  return problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0;
}

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
