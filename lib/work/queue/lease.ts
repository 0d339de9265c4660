// The lease of an issue: its owner, and how long it lasts. Pure.
//
// The issue stores its lease in `assignee`, `claimed` and `leaseUntil`. A lease ends when its time is over, when the
// agent leaves the issue (`state`, hooks), or when the issue is closed. After a crash, a lease ends only by time.

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

/** The columns that agents are offered issues from. */
const OFFERED: readonly string[] = [ISSUE_STATUSES[0], READY];

const MAX_LEASE_MS = 365 * 24 * 60 * 60_000;

/** The data for deciding whether a lease has ended. */
export interface LeaseJudge {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** The status of each agent, by full name. */
  statuses: AgentStatuses;
}

/** The statuses that agents set, by full name. `engineer@2` and `engineer` are separate agents. */
export type AgentStatuses = ReadonlyMap<
  string,
  Pick<AgentStatus, "base" | "lastActivity"> & {
    /** Whether the agent's process is known and has ended. */
    hasDied?: boolean;
  }
>;

/** Returns the agent that currently owns an issue; undefined if the issue is free. */
export function ownerOf(issue: Issue, { nowMs, statuses }: LeaseJudge): string | undefined {
  const { assignee, leaseUntil } = issue;
  if (assignee === null || leaseUntil === null) return undefined; // an assignee without a time is not a lease
  if (Date.parse(leaseUntil) <= nowMs || hasLeft(issue, assignee, statuses)) return undefined;
  return assignee;
}

/** Returns the agents that currently hold an issue or one of its steps. */
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
 * Returns whether an issue is not offered as new work although it has no lease: it is in progress elsewhere, waits
 * for review, or has a status of its own such as Deferred. An issue that a claim put in progress does not count,
 * because it returns to the queue when its lease ends.
 */
export function isUnderWay({ status, claimed }: Issue): boolean {
  return status === IN_PROGRESS ? claimed === null : !OFFERED.includes(status);
}

/** The start and length of a lease. */
export interface LeaseTerm {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Milliseconds. */
  leaseMs: number;
  /** The new status of the issue; null to let the queue choose. */
  status?: string | null;
}

/**
 * Gives an issue to an agent, in place. The issue is in progress afterwards, or stays in review.
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

/** Gives a step of an issue to an agent, in place. Another agent may own the issue. */
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

/** Ends the matching step claims, in place. */
export function endStepClaims(issue: Issue, fits: (claim: StepClaim) => boolean): void {
  issue.stepClaims = issue.stepClaims?.filter((claim) => !fits(claim));
}

/** Returns an issue to the queue, in place. An issue in progress gets the status `status`. */
export function endLease(issue: Issue, status: string = READY): void {
  Object.assign(issue, NOBODY);
  if (issue.status === IN_PROGRESS) issue.status = status;
}

/** Extends a lease, in place, unless it already lasts longer. An assignee without a lease gets none. */
export function extendLease(issue: Issue, term: LeaseTerm): void {
  if (issue.leaseUntil !== null) issue.leaseUntil = laterEnd(issue.leaseUntil, term);
}

function laterEnd(end: string | undefined, { nowMs, leaseMs }: LeaseTerm): string {
  return isoTime(Math.max(nowMs + leaseMs, Date.parse(end ?? "") || 0));
}

/**
 * Checks the length of a lease.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is above 0 and at most a year
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

/**
 * Returns whether an agent has left its issue. Apart from the end of its process, only a status about this issue
 * counts, and only if the agent set it after its claim.
 */
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
    : isSessionName(agent) && base.status === "done"; // a session that is done works on no issue
  return isOver && Date.parse(base.since ?? lastActivity) > Date.parse(claimed);
}
