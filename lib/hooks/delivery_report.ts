// Reports the delivery of each entry of a thread to people and programs, from the ledger and the files of sessions.
// Hooks do not need this module. Pure.

import { roleOf } from "../base/agent_names.ts";
import { askerOf, type ClarificationRecord } from "../clarify/schema.ts";
import { lastWaiting } from "./delivery.ts";
import type { Delivery, SessionFile } from "./session_files.ts";

export type DeliveryState = "queued" | "woken" | "offered" | "shown" | "acknowledged";

export interface DeliveryReport {
  /** The clarification and the number of the entry in its thread: `CLR-42-001.2`. */
  id: string;
  kind: "question" | "answer";
  receiver: string;
  state: DeliveryState;
  /** The session that was offered the entry or is woken for it; null before that. */
  session: string | null;
  offers: number;
  /** ISO-8601, UTC: when the entry reached this state; null while it is queued. */
  at: string | null;
  /** The proof that the entry was shown; null before that. */
  proof: Delivery["proof"];
}

/**
 * Returns the deliveries of the entries that their receivers have replied to, and of the last entry if somebody has
 * to read it.
 */
export function deliveriesIn(
  record: ClarificationRecord,
  sessions: readonly SessionFile[],
): DeliveryReport[] {
  const next = deliveryOf(record, sessions);
  return [...acknowledged(record), ...next === undefined ? [] : [next]];
}

/** Returns the delivery of the last entry of the thread; undefined if nobody has to read that entry. */
export function deliveryOf(
  record: ClarificationRecord,
  sessions: readonly SessionFile[],
): DeliveryReport | undefined {
  const waiting = lastWaiting(record);
  if (waiting === undefined) return undefined;
  const { id, kind, receiver } = waiting;
  const found = sessions.flatMap(({ session = null, deliveries }) =>
    deliveries.filter((delivery) => delivery.id === id).map((delivery) => ({ session, delivery }))
  );
  const best = found.find(({ delivery }) => delivery.shownAt !== null) ??
    found.find(({ delivery }) => delivery.offers.length > 0) ?? found.at(0);
  if (best === undefined) {
    return { id, kind, receiver, state: "queued", session: null, offers: 0, at: null, proof: null };
  }
  const { session, delivery: { offers, shownAt, proof, wokenAt = null } } = best;
  const state = shownAt !== null ? "shown" : offers.length > 0 ? "offered" : "woken";
  const at = shownAt ?? offers.at(-1)?.at ?? wokenAt;
  return { id, kind, receiver, state, session, offers: offers.length, at, proof };
}

/** Returns the entries with a reply. A reply proves that its author read the entry right before it. */
function acknowledged(record: ClarificationRecord): DeliveryReport[] {
  const { id, to, thread } = record;
  return thread.slice(1).flatMap((reply, index): DeliveryReport[] => {
    const { type, from, round } = thread[index];
    const receiver = roleOf(type === "question" ? to : askerOf(record, round));
    if (roleOf(reply.from) !== receiver || roleOf(from) === receiver) return [];
    return [{
      id: `${id}.${index + 1}`,
      kind: type === "question" ? "question" : "answer",
      receiver: reply.from,
      state: "acknowledged",
      session: null,
      offers: 0,
      at: reply.timestamp,
      proof: null,
    }];
  });
}
