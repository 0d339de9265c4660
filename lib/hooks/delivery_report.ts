// The delivery of each entry of a thread, for people and programs: by the ledger, and by the files
// of sessions. Hooks do not need it. Pure.

import { roleOf } from "../base/agent_names.ts";
import { askerOf, type ClarificationRecord } from "../clarify/schema.ts";
import { lastWaiting } from "./delivery.ts";
import type { Delivery, SessionFile } from "./session_files.ts";

export type DeliveryState = "queued" | "woken" | "offered" | "shown" | "acknowledged";

export interface DeliveryReport {
  /** `CLR-42-001.2`. */
  id: string;
  kind: "question" | "answer";
  receiver: string;
  state: DeliveryState;
  /** The session that it was offered to, or that is woken for it; null before. */
  session: string | null;
  offers: number;
  /** ISO-8601, UTC: when it reached this state; null while it is queued. */
  at: string | null;
  /** The proof that it was shown; null before. */
  proof: Delivery["proof"];
}

/**
 * The deliveries of the entries that their receivers have replied to, and of the next one that
 * somebody has to read.
 */
export function deliveriesIn(
  record: ClarificationRecord,
  sessions: readonly SessionFile[],
): DeliveryReport[] {
  const next = deliveryOf(record, sessions);
  return [...acknowledged(record), ...next === undefined ? [] : [next]];
}

/** The delivery of the last entry of the thread; undefined if nobody has to read it. */
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

/** A reply proves that its author read the entry right before it. */
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
