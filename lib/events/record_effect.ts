// The effect of a change on the records of a file that is replaced as a whole, and the reversal of that effect. Pure.

import type { JsonObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { hashOf } from "../base/hash.ts";

/**
 * The change of one record.
 *
 * @internal
 */
export interface RecordEffect {
  of: "clarification" | "question" | "assumption" | "status";
  /** The id of a record; for a status, the id of its agent. */
  id: string;
  /** The record before the change; null if there was none. */
  before: JsonObject | null;
  /** A hash of the record after the change; null if the record was removed. */
  after: string | null;
}

/** Fields that change through time and deliveries alone. A difference in them does not prevent an undo. */
const PASSING: readonly string[] = [
  "toldAt",
  "heldBy",
  "deadline",
  "staleAfter",
  "retriedAt",
  "since",
  "startedAt",
];

/** Copies records before they are changed in place; returns a function that compares them and returns the effects. */
export function watching<T extends { id: string }>(
  of: RecordEffect["of"],
  records: readonly T[],
): (now: readonly T[]) => RecordEffect[] {
  const copies = new Map(structuredClone(records).map((record) => [record.id, record]));
  return (now) => {
    const after = new Map(now.map((record) => [record.id, record]));
    const ids = [...new Set([...copies.keys(), ...after.keys()])];
    return ids.flatMap((id): RecordEffect[] => {
      const [before, then] = [copies.get(id), after.get(id)];
      if (printOf(before) === printOf(then)) return [];
      return [{ of, id, before: (before ?? null) as JsonObject | null, after: printOf(then) }];
    });
  };
}

/** Combines the effects of several changes in one operation into one effect for each record. */
export function together(effects: readonly RecordEffect[]): RecordEffect[] {
  const all = new Map<string, RecordEffect>();
  for (const effect of effects) {
    const first = all.get(effect.id);
    // If another operation changed the record between two of these changes, the effect can no longer be undone.
    const isNext = first === undefined || printOf(effect.before ?? undefined) === first.after;
    const { before } = first ?? effect;
    all.set(effect.id, { ...effect, before, after: isNext ? effect.after : "changed between" });
  }
  return [...all.values()];
}

/**
 * Compares a record with an effect on it: `done` if the record is as the effect left it, `undone` if it is as it was
 * before, `changed` otherwise.
 */
export function effectStanding(
  { before, after }: RecordEffect,
  record: { id: string } | undefined,
): "done" | "undone" | "changed" {
  const print = printOf(record);
  return print === after ? "done" : print === printOf(before ?? undefined) ? "undone" : "changed";
}

/**
 * Returns the records as they were before the effects.
 *
 * @throws {AgentxError} `NOT_READY` if a record was changed since
 */
export function takenBack<T extends { id: string }>(
  records: readonly T[],
  effects: readonly RecordEffect[],
): T[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const effect of effects) {
    const { id, before } = effect;
    const standing = effectStanding(effect, byId.get(id));
    if (standing === "changed") throw changedSince(id);
    if (standing === "undone") continue;
    if (before === null) byId.delete(id);
    else byId.set(id, before as unknown as T);
  }
  const numberOf = ({ id }: T) => Number(id.slice(id.lastIndexOf("-") + 1));
  return [...byId.values()].sort((a, b) => numberOf(a) - numberOf(b));
}

function changedSince(id: string): AgentxError<"NOT_READY"> {
  const why = `${id} was changed meanwhile`;
  return new AgentxError("NOT_READY", `Cannot undo the operation: ${why}`, {
    details: { issueNumber: 0, reasons: [why] },
    next: "Run the undo again; it then names what was changed",
  });
}

function printOf(record: object | undefined): string | null {
  if (record === undefined) return null;
  const fields = Object.entries(record).filter(([key]) => !PASSING.includes(key));
  const steady = Object.fromEntries(fields);
  if (steady.status === "stale") steady.status = "pending";
  return hashOf(JSON.stringify(steady));
}
