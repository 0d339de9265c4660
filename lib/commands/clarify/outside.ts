// Questions and notes about a number that is no issue here: it may live elsewhere, or be a slip.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import type { IssueStore } from "../../work/issue/issue_store.ts";

/** The numbers that are no issue here; none where this workspace keeps no issues, or one is unreadable. */
export function outsideAmong(
  numbers: readonly number[],
  issues: Pick<IssueStore, "scan">,
): number[] {
  const { issues: all, problems } = issues.scan();
  if (all.length === 0 || problems.length > 0) return [];
  const known = new Set(all.map(({ number }) => number));
  return [...new Set(numbers)].filter((number) => !known.has(number));
}

/** Notes that the entry stays under a number that is no issue here. */
export function noteOutside(
  io: Io,
  what: string,
  { number, issues }: { number: number; issues: Pick<IssueStore, "scan" | "findReadable"> },
): void {
  if (issues.findReadable(number) !== undefined) return;
  if (outsideAmong([number], issues).length === 0) return;
  note(io, `there is no issue #${number} here; ${what} stays under this number, outside of them`);
}
