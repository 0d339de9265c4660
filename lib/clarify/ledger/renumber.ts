// Moves the clarifications of issues that got another number. Pure.

import {
  formatClarificationId,
  type LedgerFile,
  type LedgerMove,
  type NumbersByUid,
  parseClarificationId,
} from "../schema.ts";

/**
 * Plans moves of ledgers, in an order that frees each place before a ledger moves there. Ledgers that would swap places
 * stay where they are.
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
 * Returns the ledger with all clarifications of another ledger under new ids. If a clarification was moved before, the
 * version with the longer thread stays.
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

/**
 * Returns the ledger without its clarifications. It keeps the last sequence, so that the moved ids are not given again.
 */
export function withoutMoved(ledger: LedgerFile): LedgerFile {
  const { issueUid: _left, ...rest } = ledger;
  return { ...rest, clarifications: [], lastSequence: lastSequence(ledger) };
}

/** Returns the highest sequence that the ledger has given; 0 if it has given none. */
export function lastSequence(ledger: LedgerFile | undefined): number {
  const { clarifications = [], lastSequence = 0 } = ledger ?? {};
  return Math.max(
    lastSequence,
    ...clarifications.map(({ id }) => parseClarificationId(id).sequence),
  );
}
