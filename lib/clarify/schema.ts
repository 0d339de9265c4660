// The clarification record as it is on disk, in `--json` and in memory (SPEC-1 section 4.2), and the meaning of its
// states. Pure.

import { roleOf } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { invalidInput } from "../base/input_checks.ts";

/** States of a clarification (DESIGN section 6). */
export type ClarificationStatus =
  | "pending"
  | "answered"
  | "resolved"
  | "stale"
  | "escalated"
  | "abandoned";

/** The kinds of entries of a thread. */
export type ThreadEntryType = "question" | "answer" | "resolution" | "escalation";

/** One entry of a thread. */
export interface ThreadEntry {
  /** The round of the entry, from 1. An answer has the round of its question. */
  round: number;
  /** The author: an agent, `human`, or `agent-x` for the hub itself. */
  from: string;
  /** The kind of the entry. */
  type: ThreadEntryType;
  /** The text that the author wrote. */
  body: string;
  /** When the entry was written: ISO-8601, UTC. */
  timestamp: string;
  /**
   * Only for an entry of `human`: whether the text was typed at a terminal outside of any agent's session; unknown if
   * absent. Not in SPEC-1.
   */
  verified?: boolean;
  /**
   * Names of the files in `.agentx/state/attachments/` with answers that were too long for the thread; absent if there
   * are none. Not in SPEC-1.
   */
  attachments?: string[];
  /** The preset that gave the answer; absent if no preset did. Not in SPEC-1. */
  runner?: string;
  /** The session of that preset, which a follow-up resumes. */
  session?: string;
  /** The model that answered, if the file of the role names models; absent otherwise. Not in SPEC-1. */
  model?: string;
  /**
   * Only for a question of an agentic loop: the id of the tool call that asked. A loop that was killed finds its
   * question again by this id. Not in SPEC-1.
   */
  callId?: string;
  /** The id of the line by which machines share the entry; absent if it is not shared. Not in SPEC-1. */
  line?: string;
  /** The name of the other machine that the entry came from. */
  machine?: string;
  /** The account of a human who wrote the entry elsewhere: the user of another machine, or a GitHub login. */
  login?: string;
}

/** How machines share a clarification. */
export interface SharedMark {
  /** The id of the clarification on all machines. */
  uid: string;
  /** The name of the machine that asked; absent if this machine asked. */
  machine?: string;
  /** The status at the last exchange between machines. */
  status: ClarificationStatus;
  /** The ids of the lines that changed only the status. */
  marks: string[];
}

/** One question thread between two agents. */
export interface ClarificationRecord {
  /** The id, `CLR-{issue}-{sequence of three digits or more}`. */
  id: string;
  /** The agent that asks. */
  from: string;
  /** The agent that has to answer. */
  to: string;
  /** The topic, 1 to 200 characters. */
  topic: string;
  /** Whether the requester cannot continue without the answer. */
  blocking: boolean;
  /** The current status. */
  status: ClarificationStatus;
  /** The current round, from 1. */
  round: number;
  /** Maximum number of rounds. A follow-up beyond it is refused, and the clarification is escalated. */
  maxRounds: number;
  /** When the clarification began: ISO-8601, UTC. */
  created: string;
  /** ISO-8601, UTC: the time after which the current question is overdue. */
  staleAfter: string;
  /** When the clarification was resolved: ISO-8601, UTC; null until then. */
  resolvedAt: string | null;
  /**
   * ISO-8601, UTC: when the one retry of the current question began; absent if the target was never run again. Not in
   * SPEC-1.
   */
  retriedAt?: string | null;
  /** All entries, oldest first. */
  thread: ThreadEntry[];
  /** The id of a later clarification that settled the same question again; absent if there is none. */
  supersededBy?: string;
  /** The ids of this clarification under earlier numbers of its issue, oldest first. */
  formerIds?: string[];
  /** How machines share the record; absent if they do not. Not in SPEC-1. */
  shared?: SharedMark;
  /** True if the record came from elsewhere: git tracks the ledger, or the state is not ours. Never on disk. */
  foreign?: true;
}

/** The ledger of one issue: `.agentx/state/clarifications/issue-{n}.json`. */
export interface LedgerFile {
  /** The number of the issue, as in the name of the file. */
  issueNumber: number;
  /** The `uid` of the issue; absent if it is not known. */
  issueUid?: string;
  /** The highest sequence ever given, if clarifications were moved or removed. */
  lastSequence?: number;
  /** The clarifications of the issue, oldest first. */
  clarifications: ClarificationRecord[];
}

/** The current number of each issue, by the `uid` of the issue. */
export type NumbersByUid = ReadonlyMap<string, number>;

/** The move of a ledger, if its issue has another number now. */
export interface LedgerMove {
  /** The number in the name of the ledger. */
  from: number;
  /** The number of the issue. */
  to: number;
}

/** The meaning of a status. */
export interface ClarificationState {
  /** Whether agents still work on the clarification: it is neither handed to a human nor closed. */
  open: boolean;
  /** The side that has to act next; null if the clarification is closed. */
  waitsFor: "target" | "requester" | "human" | null;
}

/** Every status with its meaning. */
export const STATES: Readonly<Record<ClarificationStatus, ClarificationState>> = {
  pending: { open: true, waitsFor: "target" },
  answered: { open: true, waitsFor: "requester" },
  resolved: { open: false, waitsFor: null },
  stale: { open: true, waitsFor: "target" },
  escalated: { open: false, waitsFor: "human" },
  abandoned: { open: false, waitsFor: null },
};

/** Whether agents still work on a clarification. */
export function isOpenRecord({ status }: ClarificationRecord): boolean {
  return STATES[status].open;
}

/** Whether agents still work on a clarification and this machine monitors it. A foreign clarification is left alone. */
export function isLookedAfter(record: ClarificationRecord): boolean {
  return isOpenRecord(record) && record.foreign !== true && isAskedHere(record);
}

/**
 * Whether an agent on this machine asked the question. A question from another machine is only answered here; the
 * asking machine monitors it.
 */
export function isAskedHere({ shared }: Pick<ClarificationRecord, "shared">): boolean {
  return shared?.machine === undefined;
}

/** Whether a clarification is neither answered nor resolved, so a human may have to act. */
export function needsHuman(status: ClarificationStatus): boolean {
  return status !== "answered" && status !== "resolved";
}

/** Whether a clarification still waits for an agent or a human. */
export function isActive({ status }: ClarificationRecord): boolean {
  return STATES[status].waitsFor !== null;
}

/** Whether the last question has no answer yet, and the target may still answer it. */
export function isUnanswered({ status }: Pick<ClarificationRecord, "status">): boolean {
  return STATES[status].waitsFor === "target";
}

/** Whether the open question of a clarification has waited too long. */
export function isOverdue(record: ClarificationRecord, nowMs: number): boolean {
  return isUnanswered(record) && nowMs > Date.parse(record.staleAfter);
}

/** Returns the questions of a thread, in the order of asking. */
export function questionsOf({ thread }: ClarificationRecord): ThreadEntry[] {
  return thread.filter(({ type }) => type === "question");
}

/**
 * Returns the asker of a question, with its worker; by default of the last question. The asker may differ from `from`:
 * another session of the requester's role may have resumed the clarification.
 */
export function askerOf({ from, thread }: ClarificationRecord, ofRound?: number): string {
  const question = thread.findLast(({ type, round }) =>
    type === "question" && round === (ofRound ?? round)
  );
  return question !== undefined && roleOf(question.from) === roleOf(from) ? question.from : from;
}

/** Whether two texts are the same apart from capitals and spaces. */
function isSameText(one: string, other: string): boolean {
  const normalised = (text: string) =>
    text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  return normalised(one) === normalised(other);
}

/** Whether two clarifications began with the same question on the same topic, by and to the same agents. */
export function isSameQuestion(one: NewClarification, other: NewClarification): boolean {
  return one.from === other.from && isAskedAgain(one, other);
}

/** Whether two clarifications began with the same question on the same topic to the same agent, by any agents. */
export function isAskedAgain(one: NewClarification, other: NewClarification): boolean {
  return one.to === other.to && isSameText(one.topic, other.topic) &&
    isSameText(one.thread[0].body, other.thread[0].body);
}

type NewClarification = Pick<ClarificationRecord, "from" | "to" | "topic" | "thread">;

/** Returns the last entry of a kind. */
export function lastEntry(
  { thread }: Pick<ClarificationRecord, "thread">,
  kind: ThreadEntryType,
): ThreadEntry | undefined {
  return thread.findLast(({ type }) => type === kind);
}

/** Maximum length of a topic, in characters. */
export const MAX_TOPIC = 200;

/** Maximum length of a question, answer or resolution, in characters. */
export const MAX_BODY = 2_000;

/** Highest sequence in an id; it has nine digits at most. */
export const MAX_SEQUENCE = 999_999_999;

const ID = /^CLR-([1-9][0-9]{0,8})-([0-9]{3}|[1-9][0-9]{3,8})$/;

const LEDGER_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;

/** Returns the issue number of a ledger in `.agentx/state/clarifications/`; undefined for other files. */
export function issueOfLedger(fileName: string): number | undefined {
  const [, issue] = LEDGER_NAME.exec(fileName) ?? [];
  return issue === undefined ? undefined : Number(issue);
}

/** Whether a text has the format `CLR-42-001`. Each clarification has only one spelling. */
export function isClarificationId(id: string): boolean {
  return ID.test(id);
}

/** Returns the issue and sequence of an id such as `CLR-42-001`. Throws `INVALID_INPUT` for anything else. */
export function parseClarificationId(id: string): { issueNumber: number; sequence: number } {
  const match = typeof id === "string" ? ID.exec(id) : null;
  if (match === null) throw invalidInput("id", id, "it must look like CLR-42-001");
  return { issueNumber: Number(match[1]), sequence: Number(match[2]) };
}

/** Returns the issue number in the id of a clarification. */
export function issueNumberOf(id: string): number {
  return parseClarificationId(id).issueNumber;
}

/** Returns the id with a sequence, such as `CLR-42-001`. */
export function formatClarificationId(issueNumber: number, sequence: number): string {
  return `CLR-${issueNumber}-${String(sequence).padStart(3, "0")}`;
}

/**
 * Notes, in place, the `uid` of the issue of something that is kept under an issue number. Throws `CORRUPT_STATE` if it
 * is already noted for another issue.
 */
export function noteIssue(
  kept: Pick<LedgerFile, "issueNumber" | "issueUid">,
  issueUid: string | undefined,
  path: string,
): void {
  if (issueUid === undefined) return;
  kept.issueUid ??= issueUid;
  if (kept.issueUid === issueUid) return;
  const { issueNumber } = kept;
  throw new AgentxError(
    "CORRUPT_STATE",
    `Cannot add to "${path}": it belongs to an issue that used to be #${issueNumber}`,
    { details: { path, line: null }, next: "Move it to its issue with: agentx doctor --fix" },
  );
}
