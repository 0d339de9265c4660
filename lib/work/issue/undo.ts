// Undoes changes of an issue: the lines that undo them, and the later changes that build upon them. Pure.

import { HUMAN } from "../../base/agent_names.ts";
import { isoTime } from "../../base/time.ts";
import type { IssueChange, IssueLine } from "./change.ts";
import type { FoldedIssue } from "./fold.ts";
import { IN_PROGRESS } from "./issue.ts";
import { deletionsOf } from "./issue_lines.ts";

/** Returns the lines with these ids that are not undone. */
function heldOf({ lines, undone }: FoldedIssue, ids: readonly string[]): IssueLine[] {
  const wanted = new Set(ids);
  return lines.filter(({ id }) => wanted.has(id) && !undone.has(id));
}

/** Returns whether an issue was deleted by undoing its creation. An import may create such an issue again. */
export function isUncreated({ isDeleted, lines, undone }: FoldedIssue): boolean {
  return isDeleted &&
    lines.some((line) => line.op === "delete" && line.isUndo && !undone.has(line.id));
}

/**
 * Returns the changes that undo lines; none if all of them are already undone. If the lines created the issue, it is
 * deleted.
 */
export function changesThatUndo(known: FoldedIssue, ids: readonly string[]): IssueChange[] {
  const held = heldOf(known, ids);
  if (held.some(({ op }) => op === "create")) {
    if (known.isDeleted) return [];
    return deletionsOf(known.lines, { isUndo: true });
  }
  // Two branches may have undone the same lines. To restore these lines, both undo lines must be undone.
  const targets = new Set(held.flatMap((line) => line.op === "undo" ? line.undone : []));
  const same = known.lines.filter((line) =>
    line.op === "undo" && !known.undone.has(line.id) && line.undone.some((id) => targets.has(id))
  );
  const undone = [...new Set([...held, ...same].map(({ id }) => id))];
  return undone.length === 0 ? [] : [{ op: "undo", undone }];
}

/**
 * Returns the lines that build upon given lines: later edits of the same field or step, and all later lines of an
 * issue that the given lines created.
 */
export function builtOn(known: FoldedIssue, ids: readonly string[]): IssueLine[] {
  const own = new Set(ids);
  const held = heldOf(known, ids);
  const byId = new Map(known.lines.map((line) => [line.id, line]));
  // Undoing an undo makes its changes again.
  const made = held.flatMap((line) =>
    line.op === "undo" ? line.undone.flatMap((id) => byId.get(id) ?? []) : [line]
  );
  return known.lines.filter((line) =>
    !own.has(line.id) && !known.undone.has(line.id) && line.op !== "undo" &&
    (line.op !== "delete" || known.isDeleted) && made.some((base) => restsOn(line, base))
  );
}

function restsOn(line: IssueLine, base: IssueLine): boolean {
  if (line === base || line.time < base.time) return false;
  if (base.op === "create" || line.op === "delete") return base.op !== "delete";
  if (line.op === "set" && base.op === "set") {
    return line.field === base.field && line.after.includes(base.id);
  }
  if (line.op === "remove") return line.after.includes(base.id);
  return "step" in line && "step" in base && line.op !== "add" && line.step === base.step;
}

/** Returns the lease after an undo: null for no lease, undefined if the lease stays as it is. */
export function leaseAfterUndo(
  before: FoldedIssue,
  after: FoldedIssue,
  nowMs: number,
): { agent: string; claimed: string; leaseUntil: string } | null | undefined {
  const { assignee } = after.issue;
  if (assignee === before.issue.assignee) return undefined;
  const isClaim = after.lines.some((line) =>
    !after.undone.has(line.id) && line.by === assignee &&
    (line.op === "add" && line.field === "assignees" ||
      line.op === "set" && line.value === IN_PROGRESS)
  );
  if (assignee === null || assignee === HUMAN || !isClaim) return null;
  // The restored lease has already ended, because another agent may have taken the issue meanwhile.
  const now = isoTime(nowMs);
  return { agent: assignee, claimed: now, leaseUntil: now };
}
