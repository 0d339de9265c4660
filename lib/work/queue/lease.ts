// The lease of an issue: its owner, and for how long. Pure.
//
// The issue itself holds it: `assignee`, `claimed`, `leaseUntil`. It ends with its time, when the agent leaves
// the issue (`state`, hooks), or when the issue is closed. After a crash, only time ends it.

import { isSessionName } from "../../base/agent_names.ts";
import type { AgentStatus } from "../../clarify/status/status_file.ts";
import { AgentxError } from "../../base/errors.ts";
import { isoTime } from "../../base/time.ts";
import {
  IN_PROGRESS,
  IN_REVIEW,
  type Issue,
  ISSUE_STATUSES,
  NOBODY,
  READY,
  type StepClaim,
} from "../issue/issue.ts";

/** The columns on offer: nobody is offered an issue in another one. */
const OFFERED: readonly string[] = [ISSUE_STATUSES[0], READY];

const MAX_LEASE_MS = 365 * 24 * 60 * 60_000;

/** Decides whether a lease has ended. */
export interface LeaseJudge {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** The work of each agent, by its full name. */
  statuses: AgentStatuses;
}

/** The statuses that agents set, by full name: `engineer@2` apart from `engineer`. */
export type AgentStatuses = ReadonlyMap<
  string,
  Pick<AgentStatus, "base" | "lastActivity"> & {
    /** Whether its process is known and has ended. */
    hasDied?: boolean;
  }
>;

/** The agent that has an issue now; undefined if it is free. */
export function ownerOf(issue: Issue, { nowMs, statuses }: LeaseJudge): string | undefined {
  const { assignee, leaseUntil } = issue;
  if (assignee === null || leaseUntil === null) return undefined; // an assignee alone is no lease
  if (Date.parse(leaseUntil) <= nowMs || hasLeft(issue, assignee, statuses)) return undefined;
  return assignee;
}

/** The agents that have an issue, or a step of it, now. */
export function holdersOf(issue: Issue, judge: LeaseJudge): Set<string> {
  const claims = [
    issue,
    ...issue.stepClaims?.map(({ agent, claimed, leaseUntil }) => {
      return { ...issue, assignee: agent, claimed, leaseUntil };
    }) ?? [],
  ];
  return new Set(claims.flatMap((claim) => ownerOf(claim, judge) ?? []));
}

/**
 * Tells whether an issue is under way or put off without a lease: it is in progress elsewhere, waits for review,
 * or has a status of its own such as Deferred. An issue that a claim put in progress returns to the queue with
 * the end of the lease.
 *
 * @returns whether it is not offered as new work
 */
export function isUnderWay({ status, claimed }: Issue): boolean {
  return status === IN_PROGRESS ? claimed === null : !OFFERED.includes(status);
}

/** The start of a lease and its length. */
export interface LeaseTerm {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Milliseconds. */
  leaseMs: number;
  /** The new status of the issue; null to leave that to the queue. */
  status?: string | null;
}

/**
 * Gives an issue to an agent, in place; it is in progress then, or stays in review.
 *
 * @param agent with or without a worker
 */
export function grantLease(
  issue: Issue,
  agent: string,
  { nowMs, leaseMs, status = null }: LeaseTerm,
): void {
  if (status !== null) issue.status = status;
  else if (issue.status !== IN_REVIEW) issue.status = IN_PROGRESS;
  issue.assignee = agent;
  issue.claimed = isoTime(nowMs);
  issue.leaseUntil = isoTime(nowMs + leaseMs);
}

/** Gives a step of an issue to an agent beside the one that has the issue, in place. */
export function grantStep(
  issue: Issue,
  { agent, step }: Pick<StepClaim, "agent" | "step">,
  { nowMs, leaseMs, status = null }: LeaseTerm,
): void {
  if (status !== null) issue.status = status;
  const all = issue.stepClaims ?? [];
  const own = all.find((one) => one.step === step && one.agent === agent);
  const claim = {
    step,
    agent,
    claimed: own?.claimed ?? isoTime(nowMs),
    leaseUntil: laterEnd(own?.leaseUntil, { nowMs, leaseMs }),
  };
  issue.stepClaims = [...all.filter((one) => one.step !== step), claim];
}

/** Ends the matching claims of steps, in place. */
export function endStepClaims(issue: Issue, fits: (claim: StepClaim) => boolean): void {
  issue.stepClaims = issue.stepClaims?.filter((claim) => !fits(claim));
}

/** Gives an issue back, in place: an issue in progress gets another status, and can be taken again. */
export function endLease(issue: Issue, status: string = READY): void {
  Object.assign(issue, NOBODY);
  if (issue.status === IN_PROGRESS) issue.status = status;
}

/** Extends a lease, in place; a longer one stays. An assignee without a lease gets none. */
export function extendLease(issue: Issue, term: LeaseTerm): void {
  if (issue.leaseUntil !== null) issue.leaseUntil = laterEnd(issue.leaseUntil, term);
}

function laterEnd(end: string | undefined, { nowMs, leaseMs }: LeaseTerm): string {
  return isoTime(Math.max(nowMs + leaseMs, Date.parse(end ?? "") || 0));
}

/**
 * Checks the length of a lease.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is a time above 0, a year at most
 */
export function checkLeaseMs(leaseMs: number): number {
  if (leaseMs > 0 && leaseMs <= MAX_LEASE_MS) return leaseMs;
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot use ${leaseMs} ms as a lease: it must be above 0 and at most a year`,
    {
      details: { field: "lease", value: leaseMs },
      next: "Leave it out for the default of half an hour",
    },
  );
}

/** Only a status about this issue, set since the agent claimed it, counts. */
function hasLeft(
  { number, claimed }: Issue,
  agent: string,
  statuses: AgentStatuses,
): boolean {
  const said = statuses.get(agent);
  if (claimed === null || said === undefined) return false;
  const { base, lastActivity, hasDied } = said;
  if (hasDied) return true;
  const isOver = base.issue === number
    ? base.status !== "working"
    : isSessionName(agent) && base.status === "done"; // an ended session works on nothing
  return isOver && Date.parse(base.since ?? lastActivity) > Date.parse(claimed);
}
