/**
 * Which issues are ready, in which order, and why the others are not (PRD US-3.2, US-3.3). Pure.
 *
 * @module
 */

import { HUMAN } from "../../agent_names.ts";
import { agentLabel } from "../../clarify/render/agent_label.ts";
import { type ClarificationRecord, isActive, issueNumberOf, STATES } from "../../clarify/schema.ts";
import { isoTime } from "../../time.ts";
import { dependencyGraph, findCycles, formatCycle, openBlockers } from "../issue/dependencies.ts";
import { isOpen, type Issue } from "../issue/issue.ts";
import { priorityOf } from "../issue/labels.ts";
import { heldBy, type IssueRow, issueRow } from "../issue/row.ts";
import { holderOf, isUnderWay, type LeaseJudge } from "./lease.ts";

/** Why an issue cannot be taken. */
export type WaitReason =
  | { kind: "clarification"; text: string; clarificationId: string; waitingOn: string }
  | { kind: "dependency"; text: string; blockers: number[] }
  | { kind: "status"; text: string; status: string }
  | { kind: "lease"; text: string; agent: string; until: string | null };

/** An issue that cannot be taken. */
export interface WaitingIssue {
  /** As in the name of its file. */
  number: number;
  /** Null if a clarification names an issue that is not kept here. */
  issue: IssueRow | null;
  /** At least one: what it waits for comes before who has it. */
  reasons: WaitReason[];
}

/** The issues with work left. */
export interface Queue {
  /** Those that can be taken: by priority, then the oldest first. */
  ready: Issue[];
  /** The others, in the same order. */
  waiting: WaitingIssue[];
}

/** What the queue is derived from. */
export interface QueueSources extends LeaseJudge {
  /** All issues. */
  issues: readonly Issue[];
  /** All clarifications. */
  clarifications: readonly ClarificationRecord[];
}

/** The rank after `p3`. */
const NO_PRIORITY = "p9";

/**
 * @param sources issues, clarifications, statuses and the time
 * @returns what is ready and what waits
 */
export function selectReady({ issues, clarifications, ...judge }: QueueSources): Queue {
  const known = new Map(issues.map((issue) => [issue.number, issue]));
  const graph = dependencyGraph(issues);
  const cycleOf = new Map<number, number[]>();
  for (const cycle of findCycles(graph)) {
    const canEnd = cycle.some((number) => !known.has(number) || !isOpen(known.get(number)!));
    if (!canEnd) cycle.forEach((number) => cycleOf.set(number, cycle));
  }
  const unanswered = unansweredByIssue(clarifications);

  const queue: Queue = { ready: [], waiting: [] };
  for (const issue of inOrder(issues.filter(isOpen))) {
    const { number } = issue;
    const blockers = openBlockers(issue, graph, known);
    const reasons = [
      ...(unanswered.get(number) ?? []).map(clarificationReason),
      ...dependencyReasons(blockers, { known, cycle: cycleOf.get(number) }),
      ...statusReasons(issue),
      ...leaseReasons(issue, judge),
    ];
    if (reasons.length === 0) queue.ready.push(issue);
    else queue.waiting.push({ number, issue: issueRow(issue), reasons });
  }
  for (const [number, records] of unanswered) {
    if (known.has(number)) continue;
    queue.waiting.push({ number, issue: null, reasons: records.map(clarificationReason) });
  }
  return queue;
}

function inOrder(issues: readonly Issue[]): Issue[] {
  return issues
    .map((issue) => ({ issue, key: `${priorityOf(issue) ?? NO_PRIORITY} ${createdOf(issue)}` }))
    .sort((a, b) => a.key === b.key ? a.issue.number - b.issue.number : a.key < b.key ? -1 : 1)
    .map(({ issue }) => issue);
}

/** A file from elsewhere may write a time in another way. */
function createdOf({ created }: Issue): string {
  return created.endsWith("Z") ? created : isoTime(created);
}

/** The unanswered blocking questions, oldest first. */
function unansweredByIssue(
  clarifications: readonly ClarificationRecord[],
): Map<number, ClarificationRecord[]> {
  const open = clarifications
    .filter((record) => record.blocking && isActive(record))
    .filter(({ status }) => STATES[status].waitsFor !== "requester")
    .sort((a, b) => a.created < b.created ? -1 : 1);
  const byIssue = new Map<number, ClarificationRecord[]>();
  for (const record of open) {
    const issueNumber = issueNumberOf(record.id);
    byIssue.set(issueNumber, [...byIssue.get(issueNumber) ?? [], record]);
  }
  return byIssue;
}

function clarificationReason({ id, to, status }: ClarificationRecord): WaitReason {
  const waitingOn = STATES[status].waitsFor === "human" ? HUMAN : to;
  const text = `BLOCKED: Clarification ${id} pending from ${agentLabel(waitingOn)}`;
  return { kind: "clarification", text, clarificationId: id, waitingOn };
}

function dependencyReasons(
  blockers: number[],
  { known, cycle }: { known: ReadonlyMap<number, Issue>; cycle: number[] | undefined },
): WaitReason[] {
  if (blockers.length === 0) return [];
  const names = blockers.map((number) =>
    known.has(number) ? `#${number}` : `#${number} (missing or unreadable)`
  );
  const circle = cycle !== undefined ? `, in a circle: ${formatCycle(cycle)}` : "";
  const text = `BLOCKED: Waits for ${names.join(", ")}${circle}`;
  return [{ kind: "dependency", text, blockers }];
}

function statusReasons(issue: Issue): WaitReason[] {
  if (!isUnderWay(issue)) return [];
  const { status, assignee } = issue;
  return [{ kind: "status", text: assignee === null ? `${status}, not assigned` : status, status }];
}

function leaseReasons(issue: Issue, judge: LeaseJudge): WaitReason[] {
  const agent = holderOf(issue, judge);
  if (agent === undefined) return [];
  return [{ kind: "lease", text: heldBy(issue), agent, until: issue.leaseUntil }];
}
