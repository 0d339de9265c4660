// Selects and sorts the ready issues, and explains why the other issues are not ready (PRD US-3.2, US-3.3). Pure.

import { groupBy } from "../../base/groups.ts";
import { HUMAN } from "../../base/agent_names.ts";
import { agentLabel } from "../../text/agent_label.ts";
import {
  type ClarificationRecord,
  isActive,
  isOpenRecord as clarificationIsOpen,
  issueNumberOf,
  STATES,
} from "../../clarify/schema.ts";
import { enumerate, listed } from "../../base/quote.ts";
import { isoTime } from "../../base/time.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
  openBlockers,
} from "../issue/dependencies.ts";
import { isOpen, isStatus, type Issue } from "../issue/issue.ts";
import { notBeforeOf, priorityOf } from "../issue/labels.ts";
import { familyOf } from "../issue/parents.ts";
import { heldBy, type IssueRow, issueRow } from "../issue/row.ts";
import type { ClaimElsewhere } from "./machine_claims.ts";
import { holdersOf, isUnderWay, type LeaseJudge, ownerOf } from "./lease.ts";

/** Why an issue cannot be taken. */
export type WaitReason =
  | { kind: "clarification"; text: string; clarificationId: string; waitingOn: string }
  | { kind: "dependency"; text: string; blockers: number[]; elsewhere: string[] }
  | { kind: "parts"; text: string; parts: number[] }
  | { kind: "status"; text: string; status: string }
  | { kind: "date"; text: string; until: string }
  | { kind: "finished"; text: string }
  | { kind: "stopped"; text: string; steps: string[] }
  | { kind: "lease"; text: string; agent: string; until: string | null };

/** The kinds of reasons that stand for something that must happen first. */
export const BLOCKING: readonly WaitReason["kind"][] = ["clarification", "dependency", "stopped"];

/** An issue that cannot be claimed now. */
export interface WaitingIssue {
  number: number;
  /** Null if a clarification names an unknown issue. */
  issue: IssueRow | null;
  /** At least one reason. Reasons to wait are listed before a claim by another agent. */
  reasons: WaitReason[];
}

/** All issues with work left. */
export interface Queue {
  /** The issues that can be claimed: by priority, then oldest first. */
  ready: Issue[];
  /** The issues that cannot be claimed now, in the same order. */
  waiting: WaitingIssue[];
}

/** A step that is ready or in progress. */
export interface NextStep {
  step: string;
  /** Role that does the step. */
  agent: string;
  /** Status of the issue once the step begins; null to let the queue choose. */
  statusOnStart: string | null;
  /** The agent that works on the step; null if none does. */
  by: string | null;
  /** Whether nobody has decided yet to take the step. Claiming the step decides it. */
  isUndecided: boolean;
}

/** The data that the queue is computed from. */
export interface QueueSources extends LeaseJudge {
  issues: readonly Issue[];
  /** Returns whether all roles that work on an issue have finished. */
  isOver: (issue: Issue) => boolean;
  /**
   * Returns whether the pipeline of an issue has begun. If so, its steps show the work in progress, not its column.
   */
  isBegun: (issue: Issue) => boolean;
  /** Returns the next steps of an issue, and who works on each; undefined if it has no type. */
  nextSteps: (issue: Issue) => readonly NextStep[] | undefined;
  /** Returns the steps that wait for a person, if no step of the issue can be taken without an answer. */
  stoppedSteps: (issue: Issue) => readonly string[];
  /** Returns whether an issue of another project, such as `owner/repo#12`, is known to be closed. */
  isClosedElsewhere: (ref: string) => boolean;
  /** The claims of other machines, by the uid of the issue. */
  elsewhere?: ReadonlyMap<string, ClaimElsewhere>;
  clarifications: readonly ClarificationRecord[];
}

/** Sort key of an issue without a priority, after `p3`. */
const NO_PRIORITY = "p9";

/** Maximum number of parts that a reason names. */
const MAX_NAMES = 5;

/** Selects the ready and the waiting issues. */
export function selectReady(
  {
    issues,
    clarifications,
    isOver,
    isBegun,
    nextSteps,
    stoppedSteps,
    isClosedElsewhere,
    elsewhere: others,
    ...judge
  }: QueueSources,
): Queue {
  const known = new Map(issues.map((issue) => [issue.number, issue]));
  const graph = dependencyGraph(issues);
  const cycleOf = new Map<number, number[]>();
  for (const cycle of findCycles(graph)) {
    const canEnd = cycle.some((number) => !known.has(number) || !isOpen(known.get(number)!));
    if (!canEnd) cycle.forEach((number) => cycleOf.set(number, cycle));
  }
  const unanswered = unansweredByIssue(clarifications);
  const { partsOf } = familyOf(issues);

  const queue: Queue = { ready: [], waiting: [] };
  for (const issue of inOrder(issues.filter(isOpen))) {
    const { number } = issue;
    const blockers = openBlockers(issue, graph, known);
    const elsewhere = linksOf(issue).elsewhere.filter((ref) => !isClosedElsewhere(ref));
    const reasons = [
      ...(unanswered.get(number) ?? []).map(clarificationReason),
      ...dependencyReasons(blockers, { elsewhere, known, cycle: cycleOf.get(number) }),
      ...stoppedReasons(stoppedSteps(issue)),
      ...partsReasons(issue, partsOf.get(issue.uid)),
      ...isBegun(issue) ? [] : statusReasons(issue),
      ...dateReasons(issue, judge),
      ...finishedReasons(issue, isOver),
      ...elsewhereReasons(others?.get(issue.uid)),
      ...leaseReasons(issue, { ...judge, isBegun, nextSteps }),
    ];
    if (reasons.length === 0) queue.ready.push(issue);
    else queue.waiting.push({ number, issue: issueRow(issue), reasons });
  }
  for (const [number, records] of unanswered) {
    // An unknown issue may be stored elsewhere. It is listed while agents can answer; after that, the inbox lists
    // its question.
    const active = records.filter(clarificationIsOpen);
    if (known.has(number) || active.length === 0) continue;
    queue.waiting.push({ number, issue: null, reasons: active.map(clarificationReason) });
  }
  return queue;
}

function inOrder(issues: readonly Issue[]): Issue[] {
  return issues
    .map((issue) => ({ issue, key: `${priorityOf(issue) ?? NO_PRIORITY} ${createdOf(issue)}` }))
    .sort((a, b) => a.key === b.key ? a.issue.number - b.issue.number : a.key < b.key ? -1 : 1)
    .map(({ issue }) => issue);
}

/** Returns the creation time in UTC. Files from elsewhere may use another time zone. */
function createdOf({ created }: Issue): string {
  return created.endsWith("Z") ? created : isoTime(created);
}

/** Returns the unanswered blocking questions by issue, oldest first. */
function unansweredByIssue(
  clarifications: readonly ClarificationRecord[],
): Map<number, ClarificationRecord[]> {
  const open = clarifications
    .filter((record) => record.blocking && isActive(record))
    .filter(({ status }) => STATES[status].waitsFor !== "requester")
    .sort((a, b) => a.created < b.created ? -1 : 1);
  return groupBy(open, ({ id }) => issueNumberOf(id));
}

function clarificationReason({ id, to, status }: ClarificationRecord): WaitReason {
  const waitingOn = STATES[status].waitsFor === "human" ? HUMAN : to;
  const text = `BLOCKED: Clarification ${id} pending from ${agentLabel(waitingOn)}`;
  return { kind: "clarification", text, clarificationId: id, waitingOn };
}

function dependencyReasons(
  blockers: number[],
  { elsewhere, known, cycle }: {
    elsewhere: string[];
    known: ReadonlyMap<number, Issue>;
    cycle: number[] | undefined;
  },
): WaitReason[] {
  const here = blockers.map((number) =>
    known.has(number) ? `#${number}` : `#${number} (missing or unreadable)`
  );
  const names = [...here, ...elsewhere];
  if (names.length === 0) return [];
  const circle = cycle !== undefined ? `, in a cycle: ${formatCycle(cycle)}` : "";
  const text = `BLOCKED: Waits for ${names.join(", ")}${circle}`;
  return [{ kind: "dependency", text, blockers, elsewhere }];
}

function stoppedReasons(steps: readonly string[]): WaitReason[] {
  if (steps.length === 0) return [];
  const who = `${enumerate(steps)} ${steps.length === 1 ? "waits" : "wait"}`;
  const text = `BLOCKED: ${who} for a person: agentx inbox`;
  return [{ kind: "stopped", text, steps: [...steps] }];
}

/** Returns a reason for an issue with parts: the issue is done through its parts. */
function partsReasons({ number }: Issue, parts: readonly Issue[] = []): WaitReason[] {
  if (parts.length === 0) return [];
  const open = parts.filter(isOpen).map(({ number }) => number);
  const names = listed(open.map((part) => `#${part}`), MAX_NAMES);
  const text = open.length > 0
    ? `Its parts are open: ${names}`
    : `All its parts are done; close it with: agentx issue close ${number}`;
  return [{ kind: "parts", text, parts: open }];
}

function statusReasons(issue: Issue): WaitReason[] {
  if (!isUnderWay(issue)) return [];
  const { status, assignee } = issue;
  const text = !isStatus(status)
    ? `Its status ${status} is not offered`
    : assignee === null
    ? `${status}, not assigned`
    : status;
  return [{ kind: "status", text, status }];
}

function dateReasons(issue: Issue, { nowMs }: LeaseJudge): WaitReason[] {
  const until = notBeforeOf(issue);
  if (until === undefined || until <= isoTime(nowMs)) return [];
  return [{ kind: "date", text: `Held back until ${until} by its label not-before`, until }];
}

function finishedReasons(
  issue: Issue,
  isOver: QueueSources["isOver"],
): WaitReason[] {
  if (!isOver(issue)) return [];
  const text =
    `Every step of its route is finished; close it with: agentx issue close ${issue.number}`;
  return [{ kind: "finished", text }];
}

function elsewhereReasons(claim: ClaimElsewhere | undefined): WaitReason[] {
  if (claim === undefined) return [];
  const { agent, machine, until } = claim;
  const text = `${heldBy({ assignee: agent, leaseUntil: until })}, on ${machine}`;
  return [{ kind: "lease", text, agent: `${agent} on ${machine}`, until }];
}

/**
 * Returns the claim as a reason. Once the pipeline has begun, an issue counts as claimed only if all its next steps
 * are.
 */
function leaseReasons(
  issue: Issue,
  { isBegun, nextSteps, ...judge }: LeaseJudge & Pick<QueueSources, "isBegun" | "nextSteps">,
): WaitReason[] {
  const holders = holdersOf(issue, judge);
  const [agent] = holders;
  if (agent === undefined) return [];
  const owner = ownerOf(issue, judge);
  const next = isBegun(issue) ? nextSteps(issue) ?? [] : [];
  const steps = next.filter(({ by, isUndecided }) => by !== null || !isUndecided);
  if (owner === undefined && steps.length === 0) return [];
  if (steps.some(({ by }) => by === null || !holders.has(by))) return [];
  const held = owner === undefined ? issue.stepClaims!.find((one) => one.agent === agent)! : issue;
  const until = held.leaseUntil;
  return [{ kind: "lease", text: heldBy({ assignee: agent, leaseUntil: until }), agent, until }];
}
