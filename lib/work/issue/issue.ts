// The issue as it is on disk and in `--json` (DESIGN section 4), and the rules for what comes in.
// Pure.

import { HUMAN } from "../../base/agent_names.ts";
import { checkText, invalidInput } from "../../base/input_checks.ts";
import { NEEDS_CHANGES } from "./labels.ts";

/** Message of a commit of the tracker itself, which belongs to no single issue. */
export const RECORDS_MESSAGE = "chore(issues): update issues and memory";

/** A comment on an issue. */
export interface IssueComment {
  /** An agent, or `human`. */
  author: string;
  /** The text. */
  body: string;
  /** ISO-8601, UTC. */
  created: string;
}

/** One issue, as its changes make it. */
export interface Issue {
  /** From 1. */
  number: number;
  /** Distinguishes it from an issue that got the same number elsewhere; it never changes. */
  uid: string;
  /** One line of 1 to 200 characters. */
  title: string;
  /** Markdown. */
  body: string;
  /** Such as `type:bug`, `priority:p1`, `blocked_by:#12`. */
  labels: string[];
  /** Column of the board: one of {@linkcode ISSUE_STATUSES}, or a workflow's name for it. */
  status: string;
  /** Whether there is work left. */
  state: "open" | "closed";
  /** The author: an agent, or `human`; `unknown` where an earlier version did not say. */
  author: string;
  /** ISO-8601, UTC. */
  created: string;
  /** ISO-8601, UTC: the latest change of any field. */
  updated: string;
  /** Oldest first. */
  comments: IssueComment[];
  /** The agent that works on it, or null. */
  assignee: string | null;
  /** ISO-8601, UTC: when the assignee claimed it; null if unclaimed, or if a human assigned it. */
  claimed: string | null;
  /** ISO-8601, UTC: when it goes back to the queue; null for never. */
  leaseUntil: string | null;
  /** On this machine: steps that agents other than the assignee have claimed, and until when. */
  stepClaims?: StepClaim[];
  /** The `uid` of the issue that it is a part of, or null. */
  parent: string | null;
  /** A day such as `2026-12-24`, or null. */
  due: string | null;
  /** The milestone, or null. */
  milestone: string | null;
  /** The origin of an import, such as `beads:bd-a1b2`. */
  source?: string;
  /** Which issues its labels and dependencies name, such as `#12 0f3c5e7a9b1d2f40`: number and `uid`. */
  linkedUids?: string[];
  /** ISO-8601, UTC: when it was last reopened or sent back; work finished before has to be done again. */
  reopened?: string;
}

/** A claim on this machine: the agent, and the time until it ends. */
export interface Claim {
  /** An agent, with its worker. */
  agent: string;
  /** ISO-8601, UTC. */
  claimed: string;
  /** ISO-8601, UTC. */
  leaseUntil: string;
}

/** A claim of a step of a workflow. */
export interface StepClaim extends Claim {
  /** Its id in the workflow. */
  step: string;
}

/** The fields of a new issue. */
export interface NewIssue {
  /** One line of 1 to 200 characters. */
  title: string;
  /** Markdown, at most 65,536 characters. */
  body?: string;
  /** Such as `type:bug`. */
  labels?: readonly string[];
  /** Column of the board. */
  status?: string;
  /** The number of the issue that it is a part of. */
  parent?: number;
  /** A day such as `2026-12-24`. */
  due?: string | null;
  /** The milestone. */
  milestone?: string | null;
  /** The tool call that creates it: a retry returns the same issue. */
  callId?: string;
}

/** The changes to an issue; a field that is left out stays as it is. */
export interface IssueUpdate {
  /** One line of 1 to 200 characters. */
  title?: string;
  /** Markdown, at most 65,536 characters. */
  body?: string;
  /** Labels to add; a type, priority or size replaces the one there is. */
  addLabels?: readonly string[];
  /** Labels to take away. */
  removeLabels?: readonly string[];
  /** Column of the board; the last one closes the issue, and any other opens it again. */
  status?: string;
  /** A comment to add, 1 to 65,536 characters. */
  comment?: string;
  /** The number of the issue that it is a part of; null for none. */
  parent?: number | null;
  /** A day such as `2026-12-24`; null for none. */
  due?: string | null;
  /** The milestone; null for none. */
  milestone?: string | null;
  /** Its agent until somebody unassigns it; null for nobody. It ends a claim. */
  assignee?: string | null;
  /** The `version` of title and body that was read; another one is not edited. */
  seen?: string;
  /** The tool call that changes it: a retry changes nothing. */
  callId?: string;
}

/** The columns of the board, from left to right (PRD "Issue-First Development Workflow"). */
export const ISSUE_STATUSES = ["Backlog", "In Progress", "In Review", "Ready", "Done"] as const;

/** The column of issues in progress. */
export const IN_PROGRESS = "In Progress";

/** The column of issues that wait for review. */
export const IN_REVIEW = "In Review";

/** The column of issues that the next agent can take. */
export const READY = "Ready";

/** The last column: an issue in it is closed. */
export const DONE = "Done";

/** How long an agent that gives no sign of life keeps an issue, in milliseconds. */
export const DEFAULT_LEASE_MS = 30 * 60_000;

/** Completes an issue that was just made. */
export function newIssue(part: Pick<Issue, "number" | "uid" | "created"> & Partial<Issue>): Issue {
  return {
    title: "",
    body: "",
    labels: [],
    status: ISSUE_STATUSES[0],
    state: "open",
    author: HUMAN,
    updated: part.created,
    comments: [],
    ...NOBODY,
    parent: null,
    due: null,
    milestone: null,
    ...part,
  };
}

/** Longest title, in characters. */
export const MAX_TITLE = 200;

/** Longest body or comment, in characters: GitHub's limit. */
export const MAX_ISSUE_BODY = 65_536;

/** The fields of an issue without an assignee. */
export const NOBODY = { assignee: null, claimed: null, leaseUntil: null } as const;

const MAX_STATUS = 100;

/**
 * Checks a title.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line of 1 to 200 characters
 */
export function checkTitle(title: unknown): string {
  return checkLine("title", title, MAX_TITLE);
}

/**
 * Checks a status, and spells one of {@linkcode ISSUE_STATUSES} as it is there.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line of 1 to 100 characters
 */
export function checkStatus(status: unknown): string {
  const text = checkLine("status", status, MAX_STATUS).trim();
  return ISSUE_STATUSES.find((name) => plain(name) === plain(text)) ?? text;
}

/** Whether a text names one of {@linkcode ISSUE_STATUSES}, also as in `in-progress`. */
export function isStatus(text: string): boolean {
  return ISSUE_STATUSES.some((name) => plain(name) === plain(text));
}

function plain(status: string): string {
  return status.trim().toLowerCase().replaceAll(/[-_]/g, " ");
}

/**
 * Checks a body, which may be empty.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is a string of at most 65,536 characters
 */
export function checkIssueBody(body: unknown): string {
  return body === "" ? body : checkText("body", body, MAX_ISSUE_BODY);
}

/**
 * Checks a comment.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is a string of 1 to 65,536 characters
 */
export function checkComment(comment: unknown): string {
  return checkText("comment", comment, MAX_ISSUE_BODY);
}

/**
 * Moves an issue to a column of the board, in place: in the last one it is closed and unassigned, in
 * any other it is open.
 */
export function moveTo(issue: Issue, status: string): void {
  issue.status = status;
  issue.state = status === DONE ? "closed" : "open";
  if (status !== DONE) return;
  Object.assign(issue, NOBODY);
  issue.labels = issue.labels.filter((label) => label !== NEEDS_CHANGES);
}

/** Whether work is left. Another program may have set only one of state and status. */
export function isOpen({ state, status }: Pick<Issue, "state" | "status">): boolean {
  return state === "open" && status !== DONE;
}

/**
 * Checks a day, or null.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless there is such a day
 */
export function checkDue(due: string | null): void {
  if (due === null || isDay(due)) return;
  throw invalidInput("due", due, "it is not a day", "Write it such as 2026-12-24");
}

/** Whether a text is a day such as `2026-12-24`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * Checks one line of text.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line with something in it
 */
export function checkLine(field: string, value: unknown, maxCharacters: number): string {
  const text = checkText(field, value, maxCharacters);
  if (!/[\n\r]/.test(text)) return text;
  throw invalidInput(field, text, "it must be one line", "Put the rest into the body");
}
