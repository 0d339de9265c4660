// Finds clarifications without progress. Pure: the monitor applies the remedies.

import { roleOf } from "../../base/agent_names.ts";
import { overlap, similarity, wordsOf } from "../../text/similarity.ts";
import {
  askerOf,
  type ClarificationRecord,
  isOverdue,
  issueNumberOf,
  parseClarificationId,
  questionsOf,
  type ThreadEntry,
} from "../schema.ts";
import type { AgentBase } from "../status/status_file.ts";
import { type Deadlock, deadlockOf, waitGraph } from "./wait_graph.ts";

/** The reason to act on each clarification, by its id. */
export type Reasons = Map<string, string>;

/** Similarity, 0 to 1, from which two texts count as the same. */
const SAME_FROM = 0.9;

/** Maximum number of earlier questions to compare one question with. The work grows with the number of questions. */
const MAX_COMPARED = 50;

/** Finds the overdue pending clarifications. */
export function findOverdueOnce(open: readonly ClarificationRecord[], nowMs: number): Reasons {
  const overdue = open.filter((record) => record.status === "pending" && isOverdue(record, nowMs));
  return new Map(overdue.map(({ id, to }) => [id, `${to} has not answered in time`]));
}

/** Finds the stale clarifications that are overdue a second time. */
export function findOverdueTwice(open: readonly ClarificationRecord[], nowMs: number): Reasons {
  const overdue = open.filter((record) => record.status === "stale" && isOverdue(record, nowMs));
  return new Map(overdue.map(({ id, to, retriedAt }) => {
    const retry = retriedAt ? `the retry of ${retriedAt} brought no answer` : "no retry ran";
    return [id, `${to} has not answered in time, twice, and ${retry}`];
  }));
}

/**
 * Finds deadlocks. Returns the deadlock of each clarification to escalate: as few as possible, so that no agents wait
 * for each other any more.
 */
export function findDeadlocks(open: readonly ClarificationRecord[]): Map<string, Deadlock> {
  return new Map(
    waitGraph(open).cycles.flatMap((cycle) => {
      const deadlock = deadlockOf(cycle);
      return deadlock.escalated.map((id) => [id, deadlock]);
    }),
  );
}

/**
 * Finds clarifications that go in circles: the last two questions are the same, or a question is asked back. For the
 * second case, each clarification is compared by role with the last `MAX_COMPARED` earlier ones in the other direction.
 */
export function findStuck(open: readonly ClarificationRecord[]): Reasons {
  const stuck: Reasons = new Map();
  const asked = new Map<string, AskedBefore[]>();
  const byTime = [...open].sort((a, b) =>
    a.created < b.created ? -1 : a.created > b.created ? 1 : sequenceOf(a) - sequenceOf(b)
  );
  for (const record of byTime) {
    const { id, topic } = record;
    const [from, to] = [askerOf(record), record.to].map(roleOf); // mostly a role is asked
    if (repeatsItself(record)) {
      stuck.set(id, "the last two questions were nearly the same");
    }
    const place = placeOf(record);
    const words = wordsOf(topic);
    const other = asked.get(`${place} ${to} ${from}`)?.slice(-MAX_COMPARED).find((before) =>
      topic === before.topic || overlap(words, before.words) >= SAME_FROM
    );
    if (other !== undefined) stuck.set(id, `${other.id} asks the reverse question`);
    const key = `${place} ${from} ${to}`;
    const before = asked.get(key) ?? [];
    asked.set(key, before);
    before.push({ id, topic, words });
  }
  return stuck;
}

/** An earlier question, to compare later ones with that may ask it back. */
interface AskedBefore extends Pick<ClarificationRecord, "id" | "topic"> {
  words: Set<string>;
}

/** Finds the clarifications of sessions that took up another issue. */
export function findAbandoned(
  open: readonly ClarificationRecord[],
  bases: ReadonlyMap<string, AgentBase>,
): Reasons {
  const abandoned = open.filter((record) => hasMovedOn(record, bases.get(askerOf(record))));
  return new Map(
    abandoned.map((record) => [record.id, `${askerOf(record)} works on another issue`]),
  );
}

/**
 * Whether the session that asked took up another issue after its last question. A role without a session may be several
 * people and programs, so its questions stay.
 */
export function hasMovedOn(record: ClarificationRecord, base: AgentBase | undefined): boolean {
  const asker = askerOf(record);
  if (roleOf(asker) === asker) return false;
  if (base === undefined || base.issue === null || base.since === null) return false;
  const { id, formerIds = [] } = record;
  const asked = questionsOf(record).at(-1)?.timestamp ?? record.created;
  const issues = [id, ...formerIds].map((id) => issueNumberOf(id));
  return base.status === "working" && base.since > asked && !issues.includes(base.issue);
}

function repeatsItself(record: ClarificationRecord): boolean {
  if (record.status !== "answered") return false;
  const [before, last] = questionsOf(record).slice(-2);
  if (last === undefined) return false;
  // After an escalation, the same question twice is no fault: a human had it asked again.
  const isEscalated = ({ type, round }: ThreadEntry) =>
    type === "escalation" && round === before.round;
  return !record.thread.some(isEscalated) && similarity(before.body, last.body) >= SAME_FROM;
}

/** Returns the part of the id that names the issue, such as `CLR-42`. */
function placeOf({ id }: ClarificationRecord): string {
  return id.slice(0, id.lastIndexOf("-"));
}

function sequenceOf({ id }: ClarificationRecord): number {
  return parseClarificationId(id).sequence;
}
