// Decides what a merge left of an issue: edits of a title or a body that did not know of each
// other, or a deletion that did not know of an edit.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { conflictsOf } from "../work/issue/conflicts.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { choicesIn, type IssueConflict } from "./entry.ts";

export const CONFLICT_ID = /^ISS-([1-9]\d{0,8})-(?:title|body|deletion)$/;

/** What merges left and somebody has to decide, of all issues that have a number of their own. */
export function openConflicts(issues: IssueStore): IssueConflict[] {
  return Array.from(issues.view().byNumber.values()).flatMap((known) =>
    known.contests.length === 0 && known.deletedBy === undefined
      ? []
      : conflictsOf(known).flatMap((conflict) =>
        conflict.id === null ? [] : [{ ...conflict, id: conflict.id, issue: known.issue.number }]
      )
  );
}

/**
 * Decides one as the human, by a letter that it offers, or the whole title or body. Returns the
 * decision in one line. Throws `NOT_FOUND` where it is decided, `INVALID_INPUT`, `LOCK_TIMEOUT`,
 * `IO_ERROR`.
 */
export async function decideConflict(
  issues: IssueStore,
  id: string,
  answer: string,
): Promise<string> {
  const number = Number(CONFLICT_ID.exec(id)?.[1]);
  const conflict = openConflicts(issues).find((each) => each.id === id);
  if (conflict === undefined) {
    throw new AgentxError("NOT_FOUND", `Cannot find ${id}: there is nothing to decide any more`, {
      details: { kind: "conflict", id },
      next: `See who decided with: agentx issue history ${number}`,
    });
  }
  const { field, shown, others } = conflict;
  const choices = choicesIn(conflict);
  const chosen = choices.find(({ label }) => label === answer.trim().toLowerCase());
  if (field === "title" || field === "body") {
    const value = chosen === undefined ? answer : `${chosen.side.value}`;
    const seen = [shown, ...others].map(({ id }) => id);
    await issues.settle(number, { field, seen }, value, HUMAN);
    return chosen?.text ?? answer;
  }
  if (chosen === undefined) {
    const offered = choices.map(({ label, text }) => `${label} (${text})`).join(" or ");
    throw new AgentxError("INVALID_INPUT", `Cannot take ${quote(answer)} as an answer to ${id}`, {
      details: { field: "answer", value: answer },
      next: `Answer with ${offered}`,
    });
  }
  if (chosen.side === shown) await issues.undo(number, others.map(({ id }) => id), HUMAN);
  else await issues.delete(number, HUMAN);
  return chosen.text;
}
