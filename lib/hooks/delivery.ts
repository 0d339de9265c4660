// The delivery of each question and answer: queued -> woken -> offered -> shown -> acknowledged.
//
// Only evidence advances an entry. It is queued while only the ledger has it, and woken once a run was started for
// it. It is offered once the session's file notes the offer, just before the entry is printed. It is shown once the
// session's recording contains its mark or, without a recording, once a later event of the session arrives. It is
// acknowledged once its receiver wrote the next entry of the thread. An offer is repeated under the same id and mark,
// and marked as repeated, if its process died before it printed the entry, or if the recording still lacks the mark
// after later entries. Pure.

import { roleOf } from "../base/agent_names.ts";
import {
  askerOf,
  type ClarificationRecord,
  isActive,
  isAskedHere,
  parseClarificationId,
} from "../clarify/schema.ts";
import type { Delivery, EntryOffer } from "./session_files.ts";

export interface Waiting {
  /** The clarification and the number of the entry in its thread: `CLR-42-001.2`. */
  id: string;
  kind: "question" | "answer";
  receiver: string;
  record: ClarificationRecord;
  /** Whether the entry was meant for another session, and this session gets it if the other one has ended. */
  isInherited?: boolean;
}

/** The fields of a session that decide which entries the session gets. */
export interface Receiver {
  worker: string | undefined;
  agent: string | null;
  issue: number | null;
}

/** Clarifications that ended longer ago than this are no longer delivered. */
const RECENT_MS = 7 * 24 * 60 * 60_000;

/** The time limit of an offer by a hook. No host waits longer for a hook, and the process id may be reused after it. */
const HOOK_MS = 60_000;

/** The delay after which a host has surely written an event to its recording. */
const RECORDED_MS = 30_000;

/** Returns the last entry of a thread if somebody has to read it; otherwise undefined. */
export function lastWaiting(record: ClarificationRecord): Waiting | undefined {
  const last = record.thread.at(-1);
  if (last === undefined) return undefined;
  const id = `${record.id}.${record.thread.length}`;
  if (last.type === "question") {
    const isOpen = record.status === "pending" || record.status === "stale";
    return isOpen ? { id, kind: "question", receiver: record.to, record } : undefined;
  }
  const receiver = askerOf(record, last.round);
  const isOwn = roleOf(last.from) === roleOf(receiver);
  return isOwn || record.status === "abandoned" || !isAskedHere(record)
    ? undefined
    : { id, kind: "answer", receiver, record };
}

/** Returns the last entries that somebody has to read, except those of clarifications that ended long ago. */
export function allWaiting(records: readonly ClarificationRecord[], nowMs: number): Waiting[] {
  return records.flatMap((record) => lastWaiting(record) ?? [])
    .filter(({ record }) => isRecent(record, nowMs));
}

/** Whether a clarification may still require somebody to read an entry or to act. */
export function mayWait(record: ClarificationRecord, nowMs: number): boolean {
  return isActive(record) || allWaiting([record], nowMs).length > 0;
}

/** The entries meant for a session, the oldest first. */
export function waitingFor(
  records: readonly ClarificationRecord[],
  who: Receiver,
  nowMs: number,
): Waiting[] {
  return allWaiting(records, nowMs)
    .flatMap((waiting) => meantFor(waiting, who) ?? [])
    .sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
}

function isRecent({ resolvedAt, thread }: ClarificationRecord, nowMs: number): boolean {
  const endedMs = Date.parse(resolvedAt ?? "") || Date.parse(thread.at(-1)!.timestamp);
  return resolvedAt === null || nowMs - endedMs < RECENT_MS;
}

/**
 * Returns the entry if the session should get it. Another session of the role may get it if no session is named, or
 * may inherit it if the named session has ended.
 */
function meantFor(waiting: Waiting, { worker, agent, issue }: Receiver): Waiting | undefined {
  const [role, named] = waiting.receiver.split("@");
  if (named !== undefined && named === worker) return waiting;
  if (role !== agent) return undefined;
  const isOfIssue = issue === parseClarificationId(waiting.record.id).issueNumber;
  if (named === undefined) return isOfIssue || issue === null ? waiting : undefined;
  return isOfIssue ? { ...waiting, isInherited: true } : undefined;
}

function timeOf({ record }: Waiting): string {
  return record.thread.at(-1)!.timestamp;
}

/** The state of a session at one of its events. */
export interface Seen {
  /** Identifies the event: `tool:12345`. */
  event: string;
  /** ISO-8601, UTC: time of the event. */
  at: string;
  /** The same time in milliseconds since the epoch. */
  nowMs: number;
  pid: number;
  recording: Recording;
  /** Whether the session has ended, so that nothing more is recorded. */
  isOver?: boolean;
  /** Whether the process that made an offer is still running. */
  isAlive: (process: Pick<EntryOffer, "pid" | "start">) => boolean;
}

export interface Recording {
  /** Whether the recording can be read. */
  isThere: boolean;
  /** Time of the last write, in milliseconds since the epoch. */
  modifiedMs: number;
  /** Whether the recording contains a mark. */
  has(mark: string): boolean;
}

/**
 * Advances deliveries in place, by the event that arrived (null if none did), the recording and the time. Returns
 * whether a delivery has advanced.
 */
export function prove(
  deliveries: readonly Delivery[],
  { event, recording, nowMs }: Pick<Seen, "recording" | "nowMs"> & { event: string | null },
): boolean {
  let hasAdvanced = false;
  for (const delivery of deliveries.filter(({ shownAt }) => shownAt === null)) {
    const isLater = event !== null &&
      delivery.offers.some((offer) => offer.putOut && offer.event !== event);
    const proof = recording.isThere
      ? recording.has(needleOf(delivery)) ? "transcript" : null
      : isLater
      ? "later event"
      : null;
    if (proof === null) continue;
    Object.assign(delivery, { shownAt: new Date(nowMs).toISOString(), proof });
    hasAdvanced = true;
  }
  return hasAdvanced;
}

/** Returns the text that, in a recording, proves that an entry was shown. */
function needleOf({ id, mark, isPrinted = false }: Delivery): string {
  return isPrinted ? mark : `${id} ${mark}`;
}

/**
 * Whether an entry must be offered, or offered again. `delivery` is undefined if the session was never offered the
 * entry.
 */
export function needsDelivery(
  delivery: Delivery | undefined,
  seen: Pick<Seen, "recording" | "isOver" | "nowMs" | "isAlive">,
): boolean {
  if (delivery === undefined) return true;
  if (delivery.shownAt !== null) return false;
  return delivery.offers.every((offer) => isLost(offer, seen));
}

function isLost(
  offer: EntryOffer,
  { recording, isOver = false, nowMs, isAlive }: Parameters<typeof needsDelivery>[1],
): boolean {
  const offeredMs = Date.parse(offer.at);
  if (!offer.putOut) {
    return !isAlive(offer) || nowMs > (Date.parse(offer.until ?? "") || offeredMs + HOOK_MS);
  }
  return recording.isThere && nowMs - offeredMs > RECORDED_MS &&
    (isOver || recording.modifiedMs - offeredMs > RECORDED_MS);
}
