// Clarifications of an issue that got another number. Pure.

import { AgentxError } from "../../base/errors.ts";
import { formatClarificationId, type LedgerFile, parseClarificationId } from "../schema.ts";

/** The number that each issue has now, by its `uid`. */
export type NumbersByUid = ReadonlyMap<string, number>;

/** One ledger that belongs to an issue with another number. */
export interface LedgerMove {
  /** The number in the name of the ledger. */
  from: number;
  /** The number of the issue. */
  to: number;
}

/**
 * What is to move, in an order in which no ledger comes to a place that is not free yet. Ledgers
 * that would have to change places with each other stay.
 */
export function planMoves(ledgers: readonly LedgerFile[], numbers: NumbersByUid): LedgerMove[] {
  const remaining = ledgers.flatMap(({ issueNumber: from, issueUid, clarifications }) => {
    const to = issueUid === undefined ? undefined : numbers.get(issueUid);
    return to === undefined || to === from || clarifications.length === 0 ? [] : [{ from, to }];
  });
  const moves: LedgerMove[] = [];
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ to }) => !remaining.some(({ from }) => from === to));
    if (next < 0) break;
    moves.push(...remaining.splice(next, 1));
  }
  return moves;
}

/**
 * The ledger with all clarifications of another one under new ids; of one that is there already,
 * the longer thread.
 */
export function withMoved(
  ledger: LedgerFile | undefined,
  moved: LedgerFile,
  issueNumber: number,
): LedgerFile {
  const clarifications = [...ledger?.clarifications ?? []];
  let last = lastSequence(ledger);
  for (const record of moved.clarifications) {
    const formerIds = [...record.formerIds ?? [], record.id];
    const index = clarifications.findIndex((each) => each.formerIds?.includes(record.id));
    if (index < 0) {
      clarifications.push({ ...record, id: formatClarificationId(issueNumber, ++last), formerIds });
    } else if (record.thread.length > clarifications[index].thread.length) {
      clarifications[index] = { ...record, id: clarifications[index].id, formerIds };
    }
  }
  return { ...ledger, issueNumber, issueUid: moved.issueUid, clarifications };
}

/** The empty ledger, which gives none of the moved ids again. */
export function withoutMoved(ledger: LedgerFile): LedgerFile {
  const { issueUid: _left, ...rest } = ledger;
  return { ...rest, clarifications: [], lastSequence: lastSequence(ledger) };
}

/** The highest sequence that the ledger has given; 0 for none. */
export function lastSequence(ledger: LedgerFile | undefined): number {
  const { clarifications = [], lastSequence = 0 } = ledger ?? {};
  return Math.max(
    lastSequence,
    ...clarifications.map(({ id }) => parseClarificationId(id).sequence),
  );
}

/**
 * Notes which issue something is about that is kept under its number. Throws `CORRUPT_STATE` if it
 * is about another issue.
 */
export function noteIssue(
  kept: Pick<LedgerFile, "issueNumber" | "issueUid">,
  issueUid: string | undefined,
  path: string,
): void {
  if (issueUid === undefined) return;
  kept.issueUid ??= issueUid;
  if (kept.issueUid === issueUid) return;
  const { issueNumber } = kept;
  throw new AgentxError(
    "CORRUPT_STATE",
    `Cannot add to "${path}": it belongs to an issue that used to be #${issueNumber}`,
    { details: { path, line: null }, next: "Move it to its issue with: agentx doctor --fix" },
  );
}
