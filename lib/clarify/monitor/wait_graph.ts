// The graph of agents that wait for each other, and its circles (ADR-1 decision 3, DESIGN section 6 "Monitor"). Pure.
//
// An unanswered request that blocks its requester is an edge from the requester to the target, in any issue. Each
// worker is a separate agent: `engineer@2` is not `engineer`. A request to a role counts as a request to a session of
// the role if that session is the only one that waits for something itself. If several sessions wait, another session
// may be free, so the time limit of the request decides.

import { normalizeAgentName, roleOf } from "../../base/agent_names.ts";
import { listed } from "../../base/quote.ts";
import { askerOf, type ClarificationRecord, isUnanswered } from "../schema.ts";

/** The requests that block agents, and the deadlocks among them. */
export interface WaitGraph {
  /** Every blocking, unanswered request, the oldest first. The asker waits for `to`. */
  edges: ClarificationRecord[];
  /**
   * The requests that cannot be answered because they wait for each other, the oldest first. Each list is one strongly
   * connected component, so each request is in one list at most.
   */
  cycles: ClarificationRecord[][];
}

/** A deadlock and how it is broken. All lists have ids, the oldest request first. */
export interface Deadlock {
  /** All requests that wait for each other. */
  cycle: string[];
  /** The clarifications handed to a human. */
  escalated: string[];
  /** The clarifications that continue; none if an agent waits for itself. */
  continued: string[];
  /** The waits and the remaining work, in one line without a final period. */
  reason: string;
}

/** A clarification that was escalated to break a deadlock. */
export interface DeadlockedRecord extends ClarificationRecord {
  /** The deadlock, with all escalated clarifications and those that continue. Never on disk. */
  deadlock: Deadlock;
}

/** Maximum number of requests that the description of a deadlock names. */
const MAX_WAITS = 8;

/** Maximum number of continuing requests that the description names. */
const MAX_CONTINUED = 3;

/** Roles from upstream to downstream; roles in the same row are equal. */
const UPSTREAM_ORDER: readonly string[][] = [
  ["product-manager"],
  ["architect", "ux-designer"],
  ["data-scientist"],
  ["engineer"],
  ["reviewer"],
  ["devops-engineer", "tester"],
];

/** Finds which agents wait for which, and the circles among them (ADR-1 decision 3). */
export function waitGraph(records: Iterable<ClarificationRecord>): WaitGraph {
  const edges = byAge([...records].filter(blocksAsker));
  const waits = waitsOf(edges);
  const targets = targetsOf(waits);
  const cycles: Wait[][] = [];
  for (const wait of waits) {
    const { from, to } = wait;
    if (!reaches(targets, to, from)) continue;
    const cycle = cycles.find(([first]) =>
      reaches(targets, first.from, from) && reaches(targets, from, first.from)
    );
    if (cycle === undefined) cycles.push([wait]);
    else cycle.push(wait);
  }
  return { edges, cycles: cycles.map((cycle) => cycle.map(({ record }) => record)) };
}

/**
 * Chooses the requests to escalate to break a deadlock (SPEC-1 section 3.4): of each circle the most downstream
 * request, and among equals the younger one, until no circle is left.
 */
export function chooseEscalations(
  cycleRecords: readonly ClarificationRecord[],
): ClarificationRecord[] {
  const before: Targets = new Map();
  return waitsOf(byWorth(cycleRecords)).filter(({ from, to }) => {
    const closes = reaches(before, to, from);
    addTarget(before, from, to);
    return closes;
  }).reverse().map(({ record }) => record);
}

/** Describes the deadlock of requests that wait for each other, and how it is broken. */
export function deadlockOf(cycle: readonly ClarificationRecord[]): Deadlock {
  const chosen = new Set(chooseEscalations(cycle));
  const escalated = idsOf(cycle.filter((record) => chosen.has(record)));
  const continued = idsOf(cycle.filter((record) => !chosen.has(record)));
  const waits = cycle.map((record) => `${askerOf(record)} waits for ${record.to} (${record.id})`);
  const verb = continued.length === 1 ? "continues" : "continue";
  const outcome = continued.length === 0 ? "" : `; ${listed(continued, MAX_CONTINUED)} ${verb}`;
  return {
    cycle: idsOf(cycle),
    escalated,
    continued,
    reason: `deadlock: ${listed(waits, MAX_WAITS)}${outcome}`,
  };
}

function idsOf(records: readonly ClarificationRecord[]): string[] {
  return records.map(({ id }) => id);
}

/** The agents that each agent waits for. */
type Targets = Map<string, Set<string>>;

/**
 * A request as an edge. An edge to a role leads to the only session of the role that waits, if there is exactly one.
 */
interface Wait {
  from: string;
  to: string;
  record: ClarificationRecord;
}

function waitsOf(records: readonly ClarificationRecord[]): Wait[] {
  const sessions = new Map<string, string | null>();
  for (const from of records.map((record) => askerOf(record))) {
    const role = roleOf(from);
    const other = sessions.get(role);
    sessions.set(role, other === undefined || other === from ? from : null);
  }
  return records.map((record) => {
    const { to } = record;
    return { from: askerOf(record), to: sessions.get(to) ?? to, record };
  });
}

function blocksAsker(record: ClarificationRecord): boolean {
  return record.blocking && isUnanswered(record);
}

/** Sorts requests, the one most worth an answer first: by role from upstream to downstream, then the oldest first. */
function byWorth(records: readonly ClarificationRecord[]): ClarificationRecord[] {
  return byAge(records)
    .map((record) => ({ record, rank: rankOf(record) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ record }) => record);
}

function rankOf({ from }: ClarificationRecord): number {
  const role = normalizeAgentName(roleOf(from));
  const rank = UPSTREAM_ORDER.findIndex((row) => row.includes(role));
  return rank < 0 ? UPSTREAM_ORDER.length : rank;
}

/** Sorts requests by time, and by id if the times are the same, so that all processes make the same choice. */
function byAge(records: readonly ClarificationRecord[]): ClarificationRecord[] {
  return records
    .map((record) => ({ record, ms: Date.parse(record.created) }))
    .sort((a, b) => a.ms - b.ms || compareIds(a.record.id, b.record.id))
    .map(({ record }) => record);
}

function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function targetsOf(waits: readonly Wait[]): Targets {
  const targets: Targets = new Map();
  for (const { from, to } of waits) addTarget(targets, from, to);
  return targets;
}

function addTarget(targets: Targets, from: string, to: string): void {
  targets.set(from, (targets.get(from) ?? new Set()).add(to));
}

/** Whether one agent waits for another, directly or through others. Each agent counts as waiting for itself. */
function reaches(targets: Targets, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const agent of seen) { // the loop also visits agents that it adds
    if (agent === to) return true;
    for (const next of targets.get(agent) ?? []) seen.add(next);
  }
  return false;
}
