/**
 * The issue as it is on disk and in `--json` (DESIGN section 4), and the rules for what comes in.
 * Pure.
 *
 * @module
 */

import { isListOfTexts, isObject, isTime } from "../../checks.ts";
import { checkText, invalidInput, nestingProblem } from "../../input_checks.ts";
import { isoTime } from "../../time.ts";

/** A comment on an issue. */
export interface IssueComment {
  /** An agent, or `human`. */
  author: string;
  /** The text. */
  body: string;
  /** ISO-8601, UTC. */
  created: string;
  /** The `uid` of the issue that it was written about; absent in older files. */
  issueUid?: string;
}

/** One issue: `.agentx/issues/{number}.json`. */
export interface Issue {
  /** As in the name of the file, from 1. */
  number: number;
  /** Distinguishes it from an issue that got the same number elsewhere; it never changes. */
  uid: string;
  /** One line of 1 to 200 characters. */
  title: string;
  /** Markdown. */
  body: string;
  /** Such as `type:bug`, `priority:p1`, `blocked_by:#12`. */
  labels: string[];
  /** Column of the board: one of {@linkcode ISSUE_STATUSES}, or what a workflow calls it. */
  status: string;
  /** Whether there is work left. */
  state: "open" | "closed";
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
  /** Which issues its labels and dependencies name, such as `#12 0f3c5e7a9b1d2f40`: number and `uid`. */
  linkedUids?: string[];
  /** Of each session of an agentic loop that changed it: the last call of a tool that did (`calls.ts`). */
  callIds?: string[];
}

/** An issue as a file may hold it: the original AgentX left keys out. */
export interface StoredIssue extends Partial<Omit<Issue, "comments">> {
  /** The text of each is there. */
  comments?: Array<Partial<IssueComment> & Pick<IssueComment, "body">>;
}

/** What a new issue is made of. */
export interface NewIssue {
  /** One line of 1 to 200 characters. */
  title: string;
  /**
   * Markdown, at most 65,536 characters.
   *
   * @default {""}
   */
  body?: string;
  /**
   * Such as `type:bug`.
   *
   * @default {[]}
   */
  labels?: readonly string[];
  /**
   * Column of the board.
   *
   * @default {"Backlog"}
   */
  status?: string;
  /**
   * The call of a tool that creates it: one that is made again gives the issue that it made.
   *
   * @default {none}
   */
  callId?: string;
}

/** What can be changed in an issue; what is left out stays as it is. */
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
  /** The call of a tool that changes it: one that is made again changes nothing. */
  callId?: string;
}

/** The columns of the board, from left to right (PRD "Issue-First Development Workflow"). */
export const ISSUE_STATUSES = ["Backlog", "In Progress", "In Review", "Ready", "Done"] as const;

/** The column of issues in progress. */
export const IN_PROGRESS = "In Progress";

/** The column of what waits for its review. */
export const IN_REVIEW = "In Review";

/** The column of what the next agent can take. */
export const READY = "Ready";

/** The last column: an issue in it is closed. */
export const DONE = "Done";

/** Longest title, in characters. */
export const MAX_TITLE = 200;

/** Longest body or comment, in characters: GitHub's limit. */
export const MAX_ISSUE_BODY = 65_536;

/** The fields of an issue without an assignee. */
export const NOBODY = { assignee: null, claimed: null, leaseUntil: null } as const;

const MAX_STATUS = 100;
const EPOCH = isoTime(0);

/**
 * @param title anything
 * @returns the title
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line of 1 to 200 characters
 */
export function checkTitle(title: unknown): string {
  return checkLine("title", title, MAX_TITLE);
}

/**
 * @param status anything
 * @returns the status; one of {@linkcode ISSUE_STATUSES} as it is written there
 * @throws {AgentxError} `INVALID_INPUT` unless it is one line of 1 to 100 characters
 */
export function checkStatus(status: unknown): string {
  const text = checkLine("status", status, MAX_STATUS).trim();
  return ISSUE_STATUSES.find((name) => plain(name) === plain(text)) ?? text;
}

/** @returns whether a text names one of {@linkcode ISSUE_STATUSES}, as in `in-progress` */
export function isStatus(text: string): boolean {
  return ISSUE_STATUSES.some((name) => plain(name) === plain(text));
}

function plain(status: string): string {
  return status.trim().toLowerCase().replaceAll(/[-_]/g, " ");
}

/**
 * @param body anything; an empty text is one
 * @returns the body
 * @throws {AgentxError} `INVALID_INPUT` unless it is a string of at most 65,536 characters
 */
export function checkIssueBody(body: unknown): string {
  return body === "" ? body : checkText("body", body, MAX_ISSUE_BODY);
}

/**
 * @param comment anything
 * @returns the comment
 * @throws {AgentxError} `INVALID_INPUT` unless it is a string of 1 to 65,536 characters
 */
export function checkComment(comment: unknown): string {
  return checkText("comment", comment, MAX_ISSUE_BODY);
}

/**
 * Moves an issue to a column of the board, in place: in the last one it is closed and unassigned, in
 * any other it is open.
 *
 * @param issue any issue
 * @param status a checked status
 */
export function moveTo(issue: Issue, status: string): void {
  issue.status = status;
  issue.state = status === DONE ? "closed" : "open";
  if (status === DONE) Object.assign(issue, NOBODY);
}

/** @returns whether there is work left, also where another program has set only one of the two */
export function isOpen({ state, status }: Pick<Issue, "state" | "status">): boolean {
  return state === "open" && status !== DONE;
}

/**
 * Completes what was read, such as a file that the original AgentX has written.
 *
 * @param value what {@linkcode issueProblem} found nothing wrong with
 * @param number as in the name of the file
 * @returns the issue with all its keys, those of ours first; keys that are not known here are kept
 */
export function completeIssue(value: StoredIssue, number: number): Issue {
  const { comments = [], ...fields } = value;
  const { created = EPOCH } = fields;
  return {
    number,
    uid: `${number}-${created}`, // whichever branch completes it first
    title: "",
    body: "",
    labels: [],
    status: value.state === "closed" ? DONE : ISSUE_STATUSES[0],
    state: "open",
    created,
    updated: created,
    comments: comments.map(({ author = "unknown", body, created: at = created, ...rest }) => // Always in the same order: branches compare lines.
    ({ author, body, created: at, ...rest })),
    ...NOBODY,
    ...fields,
  };
}

/**
 * Checks an issue that was read or is about to be written. It is a guard by hand and not a schema
 * because every issue of the ready queue goes through it.
 *
 * @param value the parsed JSON
 * @param number as in the name of the file
 * @returns what does not fit and where; undefined for an issue, which has a number or a title and may
 *   lack all else
 */
export function issueProblem(value: unknown, number: number): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const { number: ownNumber, body = "", status = "" } = value;
  const { title = ownNumber === undefined ? undefined : "" } = value;
  if (ownNumber !== undefined && ownNumber !== number) {
    return `number must be ${number}, to match the file name`;
  }
  const { uid = "" } = value;
  for (const [key, text] of Object.entries({ uid, title, body, status })) {
    if (typeof text !== "string") return `${key} must be a string`;
  }
  const { created = EPOCH, updated = EPOCH } = value;
  const { claimed, leaseUntil, assignee } = value;
  const times = { created, updated, claimed: claimed ?? EPOCH, leaseUntil: leaseUntil ?? EPOCH };
  for (const [key, time] of Object.entries(times)) {
    if (!isTime(time)) return `${key} must be a time`;
  }
  if (typeof (assignee ?? "") !== "string") return "assignee must be a string or null";
  const { state = "open", labels = [], comments = [] } = value;
  if (state !== "open" && state !== "closed") return "state must be open or closed";
  if (!isListOfTexts(labels)) return "labels must be a list of strings";
  if (!isListOfTexts(value.linkedUids ?? [])) return "linkedUids must be a list of strings";
  if (!isListOfTexts(value.callIds ?? [])) return "callIds must be a list of strings";
  if (!Array.isArray(comments)) return "comments must be a list";
  const wrong = comments.findIndex((comment) => !isComment(comment));
  return wrong < 0 ? nestingProblem(value) : `comments[${wrong}] is not a comment`;
}

function checkLine(field: string, value: unknown, maxCharacters: number): string {
  const text = checkText(field, value, maxCharacters);
  if (!/[\n\r]/.test(text)) return text;
  throw invalidInput(field, text, "it must be one line", "Put the rest into the body");
}

function isComment(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { author = "", body, created = EPOCH, issueUid = "" } = value;
  return typeof author === "string" && typeof issueUid === "string" && typeof body === "string" &&
    isTime(created);
}
