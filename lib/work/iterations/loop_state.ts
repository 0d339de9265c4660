// The format of iterative loops on disk, and their limits. Pure.

import type { Made } from "../../base/origin.ts";
import { isObject, isTime } from "../../base/checks.ts";
import type { WorkflowStep } from "../../config/workflow.ts";
import { NEEDS_ITERATION } from "../issue/labels.ts";
import { nestingProblem } from "../../base/input_checks.ts";

/** The record of one iteration, or of the end of a loop. */
export interface LoopEntry {
  /** Number of the iteration, from 1. */
  iteration: number;
  /** The work of the iteration. */
  summary: string;
  /** ISO-8601, UTC. */
  timestamp: string;
}

/** The loop of one issue. */
export interface LoopState {
  /** Number of the issue, as in the key of the file. */
  issueNumber: number;
  /** The `uid` of the issue; absent if unknown. */
  issueUid?: string;
  status: "active" | "complete" | "cancelled";
  /** The current iteration, from 1. */
  iteration: number;
  /** Maximum number of iterations. */
  maxIterations: number;
  /** ISO-8601, UTC. */
  started: string;
  /** ISO-8601, UTC. */
  updated: string;
  /** The summaries of the iterations, oldest first. */
  history: LoopEntry[];
}

/** The progress of an issue: its loop, if one was started, and the roles that have finished. */
export interface IssueProgress extends Partial<LoopState> {
  /** Number of the issue, as in the key of the file. */
  issueNumber: number;
  /** When each role finished its work, ISO-8601 in UTC. A time before the issue was last reopened does not count. */
  finishedAt?: Record<string, string>;
}

/** The content of the file: progress by issue number. */
export type LoopFile = Record<string, IssueProgress>;

/** Default maximum number of iterations of a loop. */
export const MAX_ITERATIONS = 10;

const STATUSES: readonly unknown[] = ["active", "complete", "cancelled"];

/**
 * Returns the iteration limit of a workflow's iterating step (default 10), doubled for the label `needs:iteration`.
 */
export function iterationLimit(
  { steps }: { steps: readonly Pick<WorkflowStep, "iterate" | "maxIterations">[] },
  labels: readonly string[] = [],
): number {
  const limit = steps.find(({ iterate }) => iterate)?.maxIterations ?? MAX_ITERATIONS;
  return labels.includes(NEEDS_ITERATION) ? 2 * limit : limit;
}

/** Returns the loop of an issue; undefined if none was started. */
export function loopIn(loops: LoopFile, issueNumber: number): LoopState | undefined {
  const progress = progressIn(loops, issueNumber);
  return progress && isLoop(progress) ? progress : undefined;
}

/** Returns the progress of an issue; undefined if there is none. */
export function progressIn(loops: LoopFile, issueNumber: number): IssueProgress | undefined {
  const key = String(issueNumber);
  return Object.hasOwn(loops, key) ? loops[key] : undefined;
}

/** Returns whether a role has finished its work on an issue, and the issue was not reopened since. */
export function hasFinished(
  { uid, reopened = "" }: { uid: string; reopened?: string },
  { issueUid = uid, finishedAt = {} }: Pick<IssueProgress, "issueUid" | "finishedAt"> = {},
  role: string,
): boolean {
  return issueUid === uid && Object.hasOwn(finishedAt, role) && finishedAt[role] > reopened;
}

/** Returns whether a loop was started. */
export function isLoop(progress: IssueProgress): progress is IssueProgress & LoopState {
  return progress.status !== undefined;
}

/** Returns the id and time that identify an entry. A copied project may have another entry for the same issue. */
export function madeOf({ issueNumber, updated = "", finishedAt = {} }: IssueProgress): Made {
  const created = [updated, ...Object.values(finishedAt)].sort().at(-1)!;
  return { id: `LOOP-${issueNumber}`, created };
}

/** Moves each loop to the current number of its issue. If two loops end up on one issue, the latest remains. */
export function renumberLoops(loops: LoopFile, numbers: ReadonlyMap<string, number>): LoopFile {
  const renumbered: LoopFile = {};
  const updated = (of: IssueProgress) => of.updated ?? "";
  const byUpdate = Object.values(loops).sort((a, b) => updated(a) < updated(b) ? -1 : 1);
  for (const loop of byUpdate) {
    const { issueUid, issueNumber: before } = loop;
    const issueNumber = (issueUid === undefined ? undefined : numbers.get(issueUid)) ?? before;
    renumbered[issueNumber] = { ...loop, issueNumber };
  }
  return renumbered;
}

/** Returns the first problem of the parsed file, and its place; undefined if the file is valid. */
export function loopFileProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  for (const [key, loop] of Object.entries(value)) {
    if (!/^[1-9][0-9]{0,8}$/.test(key)) return `${key} is not an issue number`;
    if (!isObject(loop) || loop.issueNumber !== Number(key)) {
      return `${key}.issueNumber must be ${key}`;
    }
    const { finishedAt = {} } = loop;
    if (!isObject(finishedAt) || !Object.values(finishedAt).every(isTime)) {
      return `${key}.finishedAt must hold a time for each role`;
    }
    if (typeof (loop.issueUid ?? "") !== "string") return `${key}.issueUid must be a string`;
    if (loop.status === undefined && loop.finishedAt !== undefined) continue;
    if (!STATUSES.includes(loop.status)) {
      return `${key}.status must be active, complete or cancelled`;
    }
    for (const count of ["iteration", "maxIterations"]) {
      const isCount = Number.isSafeInteger(loop[count]) && Number(loop[count]) >= 1;
      if (!isCount) return `${key}.${count} must be a whole number of 1 or more`;
    }
    if (!Array.isArray(loop.history)) return `${key}.history must be a list`;
    const wrong = loop.history.findIndex((entry) => !isEntry(entry));
    if (wrong >= 0) return `${key}.history[${wrong}] is not an entry of a loop`;
  }
  return nestingProblem(value);
}

function isEntry(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value.iteration) &&
    typeof value.summary === "string";
}
