// The effect of a change on records of a file that is replaced as a whole, and its reversal. Pure.

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
  /** The id of a record, or of the agent with a status. */
  id: string;
  /** The record before; null where there was none. */
  before: JsonObject | null;
  /** A hash of the record after; null if it is gone. */
  after: string | null;
}

/** Time and deliveries change these: nobody built upon them. */
const PASSING: readonly string[] = [
  "toldAt",
  "heldBy",
  "deadline",
  "staleAfter",
  "retriedAt",
  "since",
  "startedAt",
];

/** Looks at records before they are changed in place; the result says what became of them. */
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

/** One effect for each record: what several changes of one operation did to it together. */
export function together(effects: readonly RecordEffect[]): RecordEffect[] {
  const all = new Map<string, RecordEffect>();
  for (const effect of effects) {
    const first = all.get(effect.id);
    // Where another operation came between two of its changes, nothing fits any more.
    const isNext = first === undefined || printOf(effect.before ?? undefined) === first.after;
    const { before } = first ?? effect;
    all.set(effect.id, { ...effect, before, after: isNext ? effect.after : "changed between" });
  }
  return [...all.values()];
}

/** How a record stands to an effect on it: as the effect left it, as it was before, or otherwise. */
export function effectStanding(
  { before, after }: RecordEffect,
  record: { id: string } | undefined,
): "done" | "undone" | "changed" {
  const print = printOf(record);
  return print === after ? "done" : print === printOf(before ?? undefined) ? "undone" : "changed";
}

/**
 * The records as they were before the effects.
 *
 * @throws {AgentxError} `NOT_READY` where one was changed since
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
  return new AgentxError("NOT_READY", `Cannot undo it: ${why}`, {
    details: { issueNumber: 0, reasons: [why] },
    next: "Try it again; it names what was changed",
  });
}

function printOf(record: object | undefined): string | null {
  if (record === undefined) return null;
  const fields = Object.entries(record).filter(([key]) => !PASSING.includes(key));
  const steady = Object.fromEntries(fields);
  if (steady.status === "stale") steady.status = "pending";
  return hashOf(JSON.stringify(steady));
}
