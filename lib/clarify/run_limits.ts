/**
 * How many runs of agents may be under way, counted from the ledgers. An agent may unset the variables
 * that say how deep it was invoked, and ask under any name and issue: what it asked stands in a ledger
 * all the same. Pure.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { askerOf, type ClarificationRecord, issueNumberOf, isUnanswered } from "./schema.ts";

/** An agent that asks an agent that asks an agent; then it is a loop. */
const MAX_DEPTH = 4;

const MAX_RUNS_OF_ISSUE = 16;

const MAX_RUNS = 64;

/** The run that is about to begin. */
export interface NextRun {
  /** The requester. */
  from: string;
  /** The issue it asks about. */
  issueNumber: number;
  /** The clarification, where it has been asked already. */
  id?: string;
}

/** What the count needs to know besides the records. */
export interface RunLimitOptions {
  /** Whether the agents of a role are run here. */
  canRun: (role: string) => boolean;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/**
 * A target counts as running until its question is answered or has waited too long, also where the
 * asker is gone.
 *
 * @param records all clarifications
 * @param next the run that would be added
 * @param options which agents are run, and the time
 * @returns why it may not begin, with the limit; undefined if it may
 */
export function runLimitReached(
  records: readonly ClarificationRecord[],
  { from, issueNumber, id }: NextRun,
  { canRun, nowMs }: RunLimitOptions,
): string | undefined {
  const waiting = records.filter((record) => record.id !== id && mayRun(record, nowMs));
  const roles = new Set(waiting.map(({ to }) => roleOf(to)));
  const running = new Set([...roles].filter(canRun));
  const underWay = waiting.filter(({ to }) => running.has(roleOf(to)));
  const ofIssue = underWay.filter(({ id }) => issueNumberOf(id) === issueNumber);
  if (ofIssue.length >= MAX_RUNS_OF_ISSUE) {
    return `${ofIssue.length} agents are running for it, ` +
      `and the limit per issue is ${MAX_RUNS_OF_ISSUE}`;
  }
  if (underWay.length >= MAX_RUNS) {
    return `${underWay.length} agents are running here, and the limit is ${MAX_RUNS}`;
  }
  const depth = depthOf(from, underWay);
  if (depth < MAX_DEPTH) return undefined;
  return `agents are asking each other ${depth} levels deep, and the limit is ${MAX_DEPTH}`;
}

function mayRun(record: ClarificationRecord, nowMs: number): boolean {
  return !record.foreign && isUnanswered(record) && nowMs <= Date.parse(record.staleAfter) &&
    (record.status === "pending" || Boolean(record.retriedAt));
}

/** The longest chain of agents each of which was asked by the next one, upward from a requester. */
function depthOf(from: string, underWay: readonly ClarificationRecord[]): number {
  const seen = new Set([from]);
  let depth = 0;
  for (let level = [from]; depth < MAX_DEPTH; depth++) {
    const asked = new Set(level.flatMap((agent) => [agent, roleOf(agent)]));
    const askers = new Set(
      underWay.filter(({ to }) => asked.has(to)).map((record) => askerOf(record)),
    );
    level = [...askers].filter((agent) => !seen.has(agent));
    if (level.length === 0) break;
    level.forEach((agent) => seen.add(agent));
  }
  return depth;
}
