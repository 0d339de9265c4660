// The clarification record as it is on disk, in `--json` and in memory (SPEC-1 section 4.2), and what
// its states mean. Pure.

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

/** The kind of an entry of a thread. */
export type ThreadEntryType = "question" | "answer" | "resolution" | "escalation";

/** One entry of a thread. */
export interface ThreadEntry {
  /** The round it belongs to, from 1; an answer carries the round of its question. */
  round: number;
  /** The author: an agent, `human`, or `agent-x` for the hub itself. */
  from: string;
  /** Its kind. */
  type: ThreadEntryType;
  /** The text. */
  body: string;
  /** ISO-8601, UTC. */
  timestamp: string;
  /**
   * Of what `human` wrote: whether it was typed at a terminal outside of any agent's session. Not in
   * SPEC-1; if it is missing, that is not known.
   */
  verified?: boolean;
  /**
   * Names of files in `.agentx/state/attachments/`: answers that were too long for the thread. Not
   * in SPEC-1; only such an entry has it.
   */
  attachments?: string[];
  /** The preset that gave an answer. Not in SPEC-1; only an answer of a preset has it. */
  runner?: string;
  /** The session of that preset, which a follow-up resumes. */
  session?: string;
  /** The model that answered, where the file of the role names some. Not in SPEC-1; only such an answer has it. */
  model?: string;
  /**
   * Of a question of an agentic loop the call of its tool, by which a killed loop finds the question
   * again. Not in SPEC-1; only such an entry has it.
   */
  callId?: string;
  /** The line by which machines share it. Not in SPEC-1; only a shared entry has it. */
  line?: string;
  /** The name of the other machine that it came from. */
  machine?: string;
  /** The account of a human who wrote it elsewhere: the user of that machine, or on GitHub. */
  login?: string;
}

/** How machines share a clarification. */
export interface SharedMark {
  /** Names it on all machines. */
  uid: string;
  /** The name of the machine that asked; absent if it was this one. */
  machine?: string;
  /** The status as of the last exchange. */
  status: ClarificationStatus;
  /** The lines that changed its status alone. */
  marks: string[];
}

/** One question thread between two agents. */
export interface ClarificationRecord {
  /** `CLR-{issue}-{sequence of three digits or more}`. */
  id: string;
  /** The requester. */
  from: string;
  /** The target. */
  to: string;
  /** The topic, 1 to 200 characters. */
  topic: string;
  /** Whether the requester cannot continue without the answer. */
  blocking: boolean;
  /** The current status. */
  status: ClarificationStatus;
  /** The current round, from 1. */
  round: number;
  /** Limit of the rounds: a follow-up beyond it is refused, and the clarification escalated. */
  maxRounds: number;
  /** ISO-8601, UTC. */
  created: string;
  /** ISO-8601, UTC: when the current question has waited too long. */
  staleAfter: string;
  /** ISO-8601, UTC; null until it is resolved. */
  resolvedAt: string | null;
  /**
   * ISO-8601, UTC: when the one retry of the current question began. Not in SPEC-1; only a record after a second run of
   * its target has it.
   */
  retriedAt?: string | null;
  /** All entries, oldest first. */
  thread: ThreadEntry[];
  /** The later question that settled the same again; only a record that one replaced has it. */
  supersededBy?: string;
  /** The ids that it had while its issue had other numbers, oldest first. */
  formerIds?: string[];
  /** Only a record that machines share has it. Not in SPEC-1. */
  shared?: SharedMark;
  /** True if it came from elsewhere: git tracks the ledger, or the state is not ours. Never on disk. */
  foreign?: true;
}

/** The ledger of one issue: `.agentx/state/clarifications/issue-{n}.json`. */
export interface LedgerFile {
  /** The issue, as in the name of the file. */
  issueNumber: number;
  /** The `uid` of that issue; absent if it is not known. */
  issueUid?: string;
  /** The highest sequence that was ever given, if clarifications have moved away. */
  lastSequence?: number;
  /** Oldest first. */
  clarifications: ClarificationRecord[];
}

/** The number that each issue has now, by its `uid`. */
export type NumbersByUid = ReadonlyMap<string, number>;

/** One ledger that belongs to an issue with another number. */
export interface LedgerMove {
  /** The number in the name of the ledger. */
  from: number;
  /** The number of the issue. */
  to: number;
}

/** The meaning of a status. */
export interface ClarificationState {
  /** Whether agents are still at it: no human was asked, and it is not closed. */
  open: boolean;
  /** The side that has to act next; null where it is closed. */
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

/** Whether agents still work on it. */
export function isOpenRecord({ status }: ClarificationRecord): boolean {
  return STATES[status].open;
}

/** Whether agents still work on it, and this machine sees to that: nothing is done about foreign ones. */
export function isLookedAfter(record: ClarificationRecord): boolean {
  return isOpenRecord(record) && record.foreign !== true && isAskedHere(record);
}

/** Whether an agent of this machine asked it: others are answered here, and watched by the asking machine. */
export function isAskedHere({ shared }: Pick<ClarificationRecord, "shared">): boolean {
  return shared?.machine === undefined;
}

/** Whether a human has to act, or an answer is pending. */
export function needsHuman(status: ClarificationStatus): boolean {
  return status !== "answered" && status !== "resolved";
}

/** Whether it still waits for an agent or a human. */
export function isActive({ status }: ClarificationRecord): boolean {
  return STATES[status].waitsFor !== null;
}

/** Whether its last question has no answer yet, and its target may still give one. */
export function isUnanswered({ status }: Pick<ClarificationRecord, "status">): boolean {
  return STATES[status].waitsFor === "target";
}

/** Whether its question has waited longer than it may. */
export function isOverdue(record: ClarificationRecord, nowMs: number): boolean {
  return isUnanswered(record) && nowMs > Date.parse(record.staleAfter);
}

/** The questions of its thread, in the order of asking. */
export function questionsOf({ thread }: ClarificationRecord): ThreadEntry[] {
  return thread.filter(({ type }) => type === "question");
}

/**
 * Who asked a question, with its worker: another session of the requester's role may have resumed
 * it. Without `ofRound`, the last question.
 */
export function askerOf({ from, thread }: ClarificationRecord, ofRound?: number): string {
  const question = thread.findLast(({ type, round }) =>
    type === "question" && round === (ofRound ?? round)
  );
  return question !== undefined && roleOf(question.from) === roleOf(from) ? question.from : from;
}

/** Whether two questions differ in capitals and spaces at most. */
function isSameText(one: string, other: string): boolean {
  const normalised = (text: string) =>
    text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  return normalised(one) === normalised(other);
}

/** Whether a clarification was begun with the same question on the same topic, by and to the same agents. */
export function isSameQuestion(one: NewClarification, other: NewClarification): boolean {
  return one.from === other.from && isAskedAgain(one, other);
}

/** Whether two agents asked the same agent the same question on the same topic. */
export function isAskedAgain(one: NewClarification, other: NewClarification): boolean {
  return one.to === other.to && isSameText(one.topic, other.topic) &&
    isSameText(one.thread[0].body, other.thread[0].body);
}

type NewClarification = Pick<ClarificationRecord, "from" | "to" | "topic" | "thread">;

/** The last entry of a kind. */
export function lastEntry(
  { thread }: Pick<ClarificationRecord, "thread">,
  kind: ThreadEntryType,
): ThreadEntry | undefined {
  return thread.findLast(({ type }) => type === kind);
}

/** Longest topic, in characters. */
export const MAX_TOPIC = 200;

/** Longest question, answer or resolution, in characters. */
export const MAX_BODY = 2_000;

/** Highest sequence in an id, which has nine digits at most. */
export const MAX_SEQUENCE = 999_999_999;

const ID = /^CLR-([1-9][0-9]{0,8})-([0-9]{3}|[1-9][0-9]{3,8})$/;

const LEDGER_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;

/** The issue of a ledger in `.agentx/state/clarifications/`; undefined for other files. */
export function issueOfLedger(fileName: string): number | undefined {
  const [, issue] = LEDGER_NAME.exec(fileName) ?? [];
  return issue === undefined ? undefined : Number(issue);
}

/** Whether it is written like `CLR-42-001`: one spelling for each clarification. */
export function isClarificationId(id: string): boolean {
  return ID.test(id);
}

/** The issue and sequence of an id such as `CLR-42-001`; throws `INVALID_INPUT` for anything else. */
export function parseClarificationId(id: string): { issueNumber: number; sequence: number } {
  const match = typeof id === "string" ? ID.exec(id) : null;
  if (match === null) throw invalidInput("id", id, "it must look like CLR-42-001");
  return { issueNumber: Number(match[1]), sequence: Number(match[2]) };
}

/** The issue of a clarification, by its id. */
export function issueNumberOf(id: string): number {
  return parseClarificationId(id).issueNumber;
}

/** The id with this sequence, such as `CLR-42-001`. */
export function formatClarificationId(issueNumber: number, sequence: number): string {
  return `CLR-${issueNumber}-${String(sequence).padStart(3, "0")}`;
}

/**
 * Notes which issue something is about that is kept under its number. Throws `CORRUPT_STATE` if it
 * is about another issue.
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
