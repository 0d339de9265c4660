// Questions and notes about a number without an issue here: the issue may be elsewhere, or the number may be a slip.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import type { IssueStore } from "../../work/issue/issue_store.ts";

/** Returns the numbers without an issue here; none if this workspace has no issues, or an issue is unreadable. */
export function outsideAmong(
  numbers: readonly number[],
  issues: Pick<IssueStore, "scan">,
): number[] {
  const { issues: all, problems } = issues.scan();
  if (all.length === 0 || problems.length > 0) return [];
  const known = new Set(all.map(({ number }) => number));
  return [...new Set(numbers)].filter((number) => !known.has(number));
}

/** Notes that an entry is kept under a number without an issue here. */
export function noteOutside(
  io: Io,
  what: string,
  { number, issues }: { number: number; issues: Pick<IssueStore, "scan" | "findReadable"> },
): void {
  if (issues.findReadable(number) !== undefined) return;
  if (outsideAmong([number], issues).length === 0) return;
  note(io, `there is no issue #${number} here; ${what} stays under this number, outside of them`);
}
