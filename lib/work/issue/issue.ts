// The issue as it is on disk and in `--json` (DESIGN section 4), and the checks of its fields. Pure.

import { HUMAN } from "../../base/agent_names.ts";
import { checkText, invalidInput } from "../../base/input_checks.ts";
import { NEEDS_CHANGES } from "./labels.ts";

/** Message of commits that save the records of agentx. Such a commit belongs to no single issue. */
export const RECORDS_MESSAGE = "chore(issues): update issues and memory";

/** A comment on an issue. */
export interface IssueComment {
  /** An agent, or `human`. */
  author: string;
  /** Markdown. */
  body: string;
  /** ISO-8601, UTC. */
  created: string;
}

/** One issue, computed from its changes. */
export interface Issue {
  /** Number of the issue, from 1. */
  number: number;
  /** Unique id of the issue. It never changes; two branches can give the same number to different issues. */
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
  /** An agent or `human`; `unknown` if an earlier version did not record the author. */
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
  /** ISO-8601, UTC: when it returns to the queue; null for never. */
  leaseUntil: string | null;
  /** Claims of single steps by agents other than the assignee, on this machine. */
  stepClaims?: StepClaim[];
  /** The `uid` of the parent issue, or null. */
  parent: string | null;
  /** A day such as `2026-12-24`, or null. */
  due: string | null;
  /** Name of the milestone, or null. */
  milestone: string | null;
  /** The place of an imported issue in its tracker, such as `beads:bd-a1b2`. */
  source?: string;
  /** The issues that its labels and dependencies name, as number and `uid`: `#12 0f3c5e7a9b1d2f40`. */
  linkedUids?: string[];
  /** ISO-8601, UTC: when it was last reopened or sent back. Steps finished before that time must be done again. */
  reopened?: string;
}

/** A claim on this machine: the agent, and when the claim ends. */
export interface Claim {
  /** The agent, with its worker. */
  agent: string;
  /** ISO-8601, UTC. */
  claimed: string;
  /** ISO-8601, UTC. */
  leaseUntil: string;
}

/** A claim of a step of a workflow. */
export interface StepClaim extends Claim {
  /** Id of the step in the workflow. */
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
  /** Number of the parent issue. */
  parent?: number;
  /** A day such as `2026-12-24`. */
  due?: string | null;
  /** Name of the milestone. */
  milestone?: string | null;
  /** Id of the tool call that creates it: a retry returns the same issue. */
  callId?: string;
}

/** Changes to an issue; fields that are left out stay as they are. */
export interface IssueUpdate {
  /** One line of 1 to 200 characters. */
  title?: string;
  /** Markdown, at most 65,536 characters. */
  body?: string;
  /** Labels to add. A type, priority or size replaces the present label of that kind. */
  addLabels?: readonly string[];
  /** Labels to remove. */
  removeLabels?: readonly string[];
  /** Column of the board. The last column closes the issue, and any other column reopens it. */
  status?: string;
  /** A comment to add, 1 to 65,536 characters. */
  comment?: string;
  /** Number of the parent issue; null for none. */
  parent?: number | null;
  /** A day such as `2026-12-24`; null for none. */
  due?: string | null;
  /** Name of the milestone; null for none. */
  milestone?: string | null;
  /** The new assignee, until somebody unassigns it; null for nobody. Assigning ends a claim. */
  assignee?: string | null;
  /** The `version` of title and body that the editor read. The edit is rejected if it has changed. */
  seen?: string;
  /** Id of the tool call that changes it: a retry changes nothing. */
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

/** How long an agent keeps an issue without a sign of life, in milliseconds. */
export const DEFAULT_LEASE_MS = 30 * 60_000;

/** Returns an issue with defaults for the missing fields. */
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

/** The assignment fields of an issue without an assignee. */
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
 * Checks a status. If it is one of {@linkcode ISSUE_STATUSES}, returns the exact spelling.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line of 1 to 100 characters
 */
export function checkStatus(status: unknown): string {
  const text = checkLine("status", status, MAX_STATUS).trim();
  return ISSUE_STATUSES.find((name) => plain(name) === plain(text)) ?? text;
}

/** Returns whether a text names one of {@linkcode ISSUE_STATUSES}; `in-progress` counts too. */
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
 * Moves an issue to a column of the board, in place. The last column closes and unassigns the issue; any other
 * column opens it.
 */
export function moveTo(issue: Issue, status: string): void {
  issue.status = status;
  issue.state = status === DONE ? "closed" : "open";
  if (status !== DONE) return;
  Object.assign(issue, NOBODY);
  issue.labels = issue.labels.filter((label) => label !== NEEDS_CHANGES);
}

/** Returns whether an issue is open. Another program may have closed only the state or only the status. */
export function isOpen({ state, status }: Pick<Issue, "state" | "status">): boolean {
  return state === "open" && status !== DONE;
}

/**
 * Checks a due day; null is allowed.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless the day exists
 */
export function checkDue(due: string | null): void {
  if (due === null || isDay(due)) return;
  throw invalidInput("due", due, "it is not a day", "Write it such as 2026-12-24");
}

/** Returns whether a text is a day such as `2026-12-24`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * Checks one line of text.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it is one nonblank line
 */
export function checkLine(field: string, value: unknown, maxCharacters: number): string {
  const text = checkText(field, value, maxCharacters);
  if (!/[\n\r]/.test(text)) return text;
  throw invalidInput(field, text, "it must be one line", "Put the rest into the body");
}
