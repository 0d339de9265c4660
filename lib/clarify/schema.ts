/**
 * The clarification record as it is on disk, in `--json` and in memory (SPEC-1 section 4.2), and what
 * its states mean. Pure.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { isObject } from "../checks.ts";
import { invalidInput, nestingProblem } from "../input_checks.ts";

/** States of a clarification (DESIGN section 6). */
export type ClarificationStatus =
  | "pending"
  | "answered"
  | "resolved"
  | "stale"
  | "escalated"
  | "abandoned";

/** What an entry of a thread is. */
export type ThreadEntryType = "question" | "answer" | "resolution" | "escalation";

/** One entry of a thread. */
export interface ThreadEntry {
  /** The round it belongs to, from 1; an answer carries the round of its question. */
  round: number;
  /** The author: an agent, `human`, or `agent-x` for the hub itself. */
  from: string;
  /** What it is. */
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
  /**
   * Of an answer: the preset that gave it, of those that the settings name. A key beside SPEC-1's, which
   * only such an entry has.
   */
  runner?: string;
  /** Of such an answer: with which the session that gave it can be gone on with. */
  session?: string;
  /**
   * Of a question that an agentic loop asked: the call of its tool, by which the loop finds the question
   * again after a kill. A key beside SPEC-1's, which only such an entry has.
   */
  callId?: string;
}

/** One question thread between two agents. */
export interface ClarificationRecord {
  /** `CLR-{issue}-{sequence of three digits or more}`. */
  id: string;
  /** The requester. */
  from: string;
  /** The target. */
  to: string;
  /** What it is about, 1 to 200 characters. */
  topic: string;
  /** Whether the requester cannot go on without the answer. */
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
   * ISO-8601, UTC: when the one retry of the current question began. Not in SPEC-1; only a record whose
   * target was run again has it.
   */
  retriedAt?: string | null;
  /** All entries, oldest first. */
  thread: ThreadEntry[];
  /** The ids that it had while its issue had other numbers, oldest first. */
  formerIds?: string[];
  /** True if git tracks the ledger: somebody else may have written it. Never on disk. */
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

/** What a status means. */
export interface ClarificationState {
  /** Whether agents are still at it: no human was asked, and it is not closed. */
  open: boolean;
  /** The side that has to act next; null where it is closed. */
  waitsFor: "target" | "requester" | "human" | null;
}

/** Every status with what it means. */
export const STATES: Readonly<Record<ClarificationStatus, ClarificationState>> = {
  pending: { open: true, waitsFor: "target" },
  answered: { open: true, waitsFor: "requester" },
  resolved: { open: false, waitsFor: null },
  stale: { open: true, waitsFor: "target" },
  escalated: { open: false, waitsFor: "human" },
  abandoned: { open: false, waitsFor: null },
};

/** @returns whether agents are still at it */
export function isOpen({ status }: ClarificationRecord): boolean {
  return STATES[status].open;
}

/** @returns whether agents are still at it, on this machine: nothing is done about foreign ones */
export function isLookedAfter(record: ClarificationRecord): boolean {
  return isOpen(record) && record.foreign !== true;
}

/** @returns whether it still waits for an agent or a human */
export function isActive({ status }: ClarificationRecord): boolean {
  return STATES[status].waitsFor !== null;
}

/** @returns whether its last question has no answer yet, and its target may still give one */
export function isUnanswered({ status }: Pick<ClarificationRecord, "status">): boolean {
  return STATES[status].waitsFor === "target";
}

/**
 * Tells whose a question is: another session of the requester's role may have gone on with it.
 *
 * @param record any clarification
 * @param ofRound the round of the question; left out, the last one that was asked
 * @returns who asked it, with its worker
 */
export function askerOf({ from, thread }: ClarificationRecord, ofRound?: number): string {
  const question = thread.findLast(({ type, round }) =>
    type === "question" && round === (ofRound ?? round)
  );
  return question !== undefined && roleOf(question.from) === roleOf(from) ? question.from : from;
}

/** @returns the last entry of a kind */
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

const STATUSES: readonly string[] = Object.keys(STATES);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ATTACHMENT = /^CLR-[0-9]{1,9}-[0-9]{3,9}-r[0-9]{1,9}-[0-9]{1,9}\.txt$/;
const WORD = /^[A-Za-z0-9][\w-]{0,99}$/;
const LEDGER_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;
const ENTRY_TYPES: readonly string[] = ["question", "answer", "resolution", "escalation"];

/** @returns the issue whose ledger a file of `.agentx/state/clarifications/` is; undefined for others */
export function issueOfLedger(fileName: string): number | undefined {
  const [, issue] = LEDGER_NAME.exec(fileName) ?? [];
  return issue === undefined ? undefined : Number(issue);
}

/** @returns whether it is written like `CLR-42-001`: one spelling for each clarification */
export function isClarificationId(id: string): boolean {
  return ID.test(id);
}

/**
 * @param id an id such as `CLR-42-001`
 * @returns its issue and sequence
 * @throws {AgentxError} `INVALID_INPUT`
 */
export function parseClarificationId(id: string): { issueNumber: number; sequence: number } {
  const match = typeof id === "string" ? ID.exec(id) : null;
  if (match === null) throw invalidInput("id", id, "it must look like CLR-42-001");
  return { issueNumber: Number(match[1]), sequence: Number(match[2]) };
}

/** @returns the issue of a clarification, by its id */
export function issueNumberOf(id: string): number {
  return parseClarificationId(id).issueNumber;
}

/** @returns the id with this sequence, such as `CLR-42-001` */
export function formatClarificationId(issueNumber: number, sequence: number): string {
  return `CLR-${issueNumber}-${String(sequence).padStart(3, "0")}`;
}

/**
 * Checks a ledger that was read or is about to be written. It is a guard by hand and not a schema
 * because every list of clarifications goes through it.
 *
 * @param value the parsed JSON
 * @returns what does not fit and where; undefined for a ledger
 */
export function ledgerProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!isCount(value.issueNumber)) return "issueNumber must be a whole number";
  if (typeof (value.issueUid ?? "") !== "string") return "issueUid must be a string";
  if (!isCount(value.lastSequence ?? 1)) return "lastSequence must be a whole number from 1";
  if (!Array.isArray(value.clarifications)) return "clarifications must be a list";
  const seen = new Set<string>();
  for (const [index, record] of value.clarifications.entries()) {
    const problem = recordProblem(record);
    if (problem !== undefined) return `clarifications[${index}]${problem}`;
    const id: string = record.id;
    if (ID.exec(id)?.[1] !== String(value.issueNumber)) {
      return `clarifications[${index}].id must belong to issue ${value.issueNumber}, as CLR-${value.issueNumber}-001`;
    }
    if (seen.has(id)) return `clarifications[${index}].id is a duplicate`;
    seen.add(id);
  }
  return nestingProblem(value);
}

function recordProblem(record: unknown): string | undefined {
  if (!isObject(record)) return " must be an object";
  for (const key of ["id", "from", "to", "topic", "created", "staleAfter"]) {
    if (typeof record[key] !== "string") return `.${key} must be a string`;
  }
  if (typeof record.blocking !== "boolean") return ".blocking must be true or false";
  if (!STATUSES.includes(record.status as string)) {
    return `.status must be one of ${STATUSES.join(", ")}`;
  }
  if (!isCount(record.round)) return ".round must be a whole number from 1";
  if (!isCount(record.maxRounds)) return ".maxRounds must be a whole number from 1";
  if (Number.isNaN(Date.parse(record.created as string))) return ".created must be a time";
  if (Number.isNaN(Date.parse(record.staleAfter as string))) return ".staleAfter must be a time";
  if (typeof (record.resolvedAt ?? "") !== "string") return ".resolvedAt must be a string or null";
  if (!isIsoTimeOrNothing(record.retriedAt)) return ".retriedAt must be a time or null";
  const formerIds = record.formerIds ?? [];
  if (!Array.isArray(formerIds) || !formerIds.every((id) => ID.test(String(id)))) {
    return ".formerIds must be a list of ids";
  }
  if (!Array.isArray(record.thread)) return ".thread must be a list";
  for (const [index, entry] of record.thread.entries()) {
    const fits = isObject(entry) && isCount(entry.round) && typeof entry.from === "string" &&
      ENTRY_TYPES.includes(entry.type as string) && typeof entry.body === "string" &&
      typeof entry.timestamp === "string" && isNameListOrNothing(entry.attachments) &&
      isWordOrNothing(entry.runner) && isWordOrNothing(entry.session) &&
      typeof (entry.callId ?? "") === "string";
    if (!fits) return `.thread[${index}] is not an entry of a thread`;
  }
  return undefined;
}

/** It is our own key, written in one way only. */
function isIsoTimeOrNothing(value: unknown): boolean {
  return (value ?? null) === null || typeof value === "string" && ISO_TIME.test(value);
}

/** It is our own key: a forged name leads nowhere else. */
function isNameListOrNothing(value: unknown): boolean {
  return value === undefined ||
    Array.isArray(value) &&
      value.every((name) => typeof name === "string" && ATTACHMENT.test(name));
}

/** These are our own keys too: a session goes on a command line, where none may pass for an option. */
function isWordOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string" && WORD.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
