// The merge conflicts in the inbox: two edits of a title or a body that were made without knowing of each other, or a
// deletion that was made without knowing of an edit.

import { HUMAN } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import { clip } from "../../base/quote.ts";
import {
  type ConflictSide,
  conflictsOf,
  conflictText,
  type MergeConflict,
  whoAndWhen,
} from "../../work/issue/conflicts.ts";
import type { IssueStore } from "../../work/issue/issue_store.ts";
import {
  type InboxKind,
  type InboxOption,
  kindOf,
  type NewEntry,
  notTaken,
  offeredIn,
} from "../entry.ts";

const CONFLICT_ID = /^ISS-([1-9]\d{0,8})-(?:title|body|deletion)$/;

/** A merge conflict of an issue. */
interface IssueConflict extends MergeConflict {
  id: string;
  issue: number;
}

export const conflict: InboxKind = kindOf("conflict", {
  id: CONFLICT_ID,
  read: ({ workspace }) => openConflicts(workspace.issues),
  entry: conflictEntry,
  decide: ({ issues }, id, answer) => decideConflict(issues, id, answer),
});

/** Returns the conflicts that a person has to decide, of all issues with their own number. */
function openConflicts(issues: IssueStore): IssueConflict[] {
  return Array.from(issues.view().byNumber.values()).flatMap((known) =>
    known.contests.length === 0 && known.deletedBy === undefined
      ? []
      : conflictsOf(known).flatMap((conflict) =>
        conflict.id === null ? [] : [{ ...conflict, id: conflict.id, issue: known.issue.number }]
      )
  );
}

async function decideConflict(
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
    throw notTaken(id, answer, `Answer with ${offeredIn(choices)}`);
  }
  if (chosen.side === shown) {
    const { uid } = issues.get(number);
    await issues.takeBack({ [uid]: others.map(({ id }) => id) }, HUMAN);
  } else await issues.delete(number, HUMAN);
  return chosen.text;
}

/** Makes the entry of a conflict. It blocks no agent, because one side counts until the decision. */
function conflictEntry(conflict: IssueConflict): NewEntry {
  const { id, issue, field, shown, others } = conflict;
  const sides = field === "deletion"
    ? []
    : [shown, ...others].map((side, index) =>
      `${letterOf(index)}) ${whoAndWhen(side)}:\n${side.value === "" ? "(empty)" : side.value}`
    );
  return {
    id,
    issue,
    agent: others[0].by,
    created: [shown, ...others].map(({ time }) => time).sort().at(-1)!,
    topic: field === "deletion" ? "it was deleted, and changed" : `its ${field} was changed twice`,
    content: [conflictText(conflict), ...sides].join("\n\n"),
    options: choicesIn(conflict).map(({ label, text }) => ({ label, text })),
  };
}

/** An option, with the side of the conflict that it chooses. */
interface ConflictChoice extends InboxOption {
  side: ConflictSide;
}

/** Returns the choices with their letters. */
function choicesIn({ field, shown, others }: IssueConflict): ConflictChoice[] {
  if (field === "deletion") {
    return [
      { label: "a", text: "keep it", side: shown },
      { label: "b", text: "delete it: undo brings it back", side: others[0] },
    ];
  }
  return [shown, ...others].slice(0, MAX_CHOICES).map((side, index) => ({
    label: letterOf(index),
    text: `${index === 0 ? "keep" : "take"} ${clip(`${side.value}`.split("\n", 1)[0])}`,
    side,
  }));
}

const MAX_CHOICES = 7;

function letterOf(index: number): string {
  return index < MAX_CHOICES ? "abcdefg"[index] : "-";
}
