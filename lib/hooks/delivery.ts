// The delivery of each question and answer: queued -> woken -> offered -> shown -> acknowledged.
//
// Only evidence advances it. It is queued while it is only in the ledger; woken once a run was started for
// it; offered once that is noted in the session's file, just before it is printed; shown once the session's
// recording has its mark or, without a recording, once a later event of the session arrives; acknowledged
// once its receiver wrote the next entry of the thread. An offer is repeated under the same id and mark,
// marked as a repetition, if its process died before printing it, or if the recording still lacks it after
// later entries. Pure.

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
  /** `CLR-42-001.2`: the clarification, and the entry of its thread. */
  id: string;
  kind: "question" | "answer";
  receiver: string;
  record: ClarificationRecord;
  /** Whether it was meant for another session, and is inherited if that one has ended. */
  isInherited?: boolean;
}

/** The fields of a session that decide which entries are for it. */
export interface Receiver {
  worker: string | undefined;
  agent: string | null;
  issue: number | null;
}

/** A clarification that ended longer ago is no longer delivered. */
const RECENT_MS = 7 * 24 * 60 * 60_000;

/** No host waits longer for a hook, and its process id may have been reused by then. */
const HOOK_MS = 60_000;

/** Hosts write a recording some time after the fact. */
const RECORDED_MS = 30_000;

/** The entry of a thread that somebody has to read next, if there is one. */
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

/** All that somebody has to read next, except what ended long ago. */
export function allWaiting(records: readonly ClarificationRecord[], nowMs: number): Waiting[] {
  return records.flatMap((record) => lastWaiting(record) ?? [])
    .filter(({ record }) => isRecent(record, nowMs));
}

/** Whether somebody may have to read something of it, or act on it. */
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

/** Another session of the role takes over if none is named, or if the named one has ended. */
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
  /** ISO-8601, UTC. */
  at: string;
  /** The same in milliseconds since the epoch. */
  nowMs: number;
  pid: number;
  recording: Recording;
  /** Whether the session has ended, so that nothing more is recorded. */
  isOver?: boolean;
  /** Whether the process that made an offer is still running. */
  isAlive: (process: Pick<EntryOffer, "pid" | "start">) => boolean;
}

export interface Recording {
  /** Whether it can be read. */
  isThere: boolean;
  /** Milliseconds since the epoch: when it was written last. */
  modifiedMs: number;
  /** Whether it has a mark. */
  has(mark: string): boolean;
}

/**
 * Advances deliveries in place, by the event that arrived (null where none did), the recording and
 * the time.
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

/** The text in a recording that proves that it was shown. */
function needleOf({ id, mark, isPrinted = false }: Delivery): string {
  return isPrinted ? mark : `${id} ${mark}`;
}

/**
 * Whether an entry must be offered, or offered again; `delivery` is undefined where it was never
 * offered in this session.
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
