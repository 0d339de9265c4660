// Filters the questions that still need an answer after issues were closed.

import { type ClarificationRecord, issueNumberOf, isUnanswered } from "../../clarify/schema.ts";
import { timesOf } from "./history.ts";
import { isOpen } from "./issue.ts";
import type { IssueStore } from "./issue_store.ts";

/**
 * @returns all records, except unanswered ones on an issue that was closed after their last entry; escalated records
 *   are kept
 */
export function stillAsked(
  records: readonly ClarificationRecord[],
  issues: Pick<IssueStore, "view">,
): ClarificationRecord[] {
  if (!records.some(isUnanswered)) return [...records];
  const { byNumber } = issues.view();
  return records.filter((record) => {
    const known = byNumber.get(issueNumberOf(record.id));
    if (!isUnanswered(record) || known === undefined || isOpen(known.issue)) return true;
    const { closed } = timesOf(known);
    return closed === null || closed < (record.thread.at(-1)?.timestamp ?? record.created);
  });
}
