// Concurrent edits: the sides of a merge, and edits of a text that has changed since its editor read it. Pure.

import { AgentxError } from "../../base/errors.ts";
import { hashOf } from "../../base/hash.ts";
import { minuteOf } from "../../base/time.ts";
import type { FieldEdit, FoldedIssue } from "./fold.ts";
import { type HistoryEdit, historyOf } from "./history.ts";
import type { Issue } from "./issue.ts";
import type { KnownIssue } from "./issue_files.ts";

/** One side of a conflict. */
export type ConflictSide = Pick<FieldEdit, "id" | "time" | "by" | "value">;

/** A field that two branches changed, or an issue that one branch deleted and another changed. */
export interface MergeConflict {
  /** Id of the conflict in the inbox; null if nobody has to decide. */
  id: string | null;
  /** The field. `deletion` means that the author of the deletion had not seen the latest changes. */
  field: "title" | "body" | "status" | "deletion";
  /** The side that applies now. */
  shown: ConflictSide;
  /** The other sides. */
  others: ConflictSide[];
}

/** Returns the conflicts of an issue. A status conflict is settled by a rule, so it only shows the edit that lost. */
export function conflictsOf(known: KnownIssue): MergeConflict[] {
  const { ref, issue, contests, lines, undone, deletedBy } = known;
  const isNumbered = ref === `#${issue.number}`;
  const idOf = (field: MergeConflict["field"]) =>
    isNumbered && field !== "status" ? `ISS-${issue.number}-${field}` : null;
  const conflicts = contests.map(({ field, shown, others }): MergeConflict => {
    return { id: idOf(field), field, shown: side(shown), others: others.map(side) };
  });
  if (deletedBy === undefined) return conflicts;
  const valid = lines.filter(({ id }) => !undone.has(id));
  const deletions = valid.filter(({ op }) => op === "delete");
  const seen = new Set(deletions.flatMap(({ after = [] }) => after));
  const edit = valid.findLast(({ id, op }) => op !== "delete" && !seen.has(id)) ?? lines[0];
  const shown = side({ ...edit, value: null });
  const others = deletions.map((line) => side({ ...line, value: null })).reverse();
  return [...conflicts, { id: idOf("deletion"), field: "deletion", shown, others }];
}

/** Describes a conflict in one or two sentences. */
export function conflictText({ field, shown, others }: MergeConflict): string {
  const [other] = others;
  const more = others.length > 1 ? `, and ${others.length - 1} more` : "";
  switch (field) {
    case "deletion":
      return `Deleted by ${whoAndWhen(other)}, who had not seen a change by ` +
        `${whoAndWhen(shown)}; it is kept.`;
    case "status":
      return `${whoAndWhen(other)} set the status to ${other.value}${more}; ` +
        `${shown.value}, by ${whoAndWhen(shown)}, is further along and counts.`;
    default:
      return `Two branches changed the ${field}: the one by ${whoAndWhen(shown)} is shown, ` +
        `the one by ${whoAndWhen(other)}${more} is kept.`;
  }
}

/** Formats the author and time of a side. */
export function whoAndWhen({ by, time }: ConflictSide): string {
  return `${by} (${minuteOf(time)})`;
}

function side({ id, time, by, value }: ConflictSide): ConflictSide {
  return { id, time, by, value };
}

/** Returns the version of title and body, which differs after each change of either. */
export function versionOf({ title, body }: Pick<Issue, "title" | "body">): string {
  return hashOf(`${title}\n${body}`);
}

/**
 * Rejects an edit of a title or body that has changed since its editor read it.
 *
 * @param seen the version that the editor read; undefined accepts any version
 * @throws {AgentxError} `NOT_READY`, with the author of the change
 */
export function checkSeenVersion(known: FoldedIssue, seen: string | undefined): void {
  const { number, title, body } = known.issue;
  if (seen === undefined || seen === versionOf({ title, body })) return;
  const isOfWords = ({ what }: HistoryEdit) => Object.hasOwn(WORDS, what);
  const last = historyOf(known).find(({ edits }) => edits.some(isOfWords));
  const why = last === undefined
    ? "its title or description is not the one that you read"
    : `${last.by} changed its ${
      last.edits.filter(isOfWords).map(({ what }) => WORDS[what]).join(" and ")
    } (${minuteOf(last.time)} UTC) after you had read it`;
  throw new AgentxError("NOT_READY", `Cannot edit #${number}: ${why}`, {
    details: { issueNumber: number, reasons: [why] },
    next: `Read it again with: agentx issue view ${number}`,
  });
}

/** The names of edits that change title or body, and the part that each edit changes. */
const WORDS: Readonly<Record<string, string>> = {
  title: "title",
  body: "description",
  undo: "title or description",
};
