// A clarification of several machines as a function of its lines. Every machine that has the same lines computes the
// same thread and status, whatever the order of the lines and its own clock. Pure.
//
// A line names the lines that its writer had seen, and comes after them. Lines that are still unordered are sorted by
// kind: answers first, then questions, decisions of humans, decisions of agents, and marks of time; then by time. Each
// line is applied by the rules of `clarify/rules/transitions.ts`: of two decisions on the same state, the first holds
// and the other is lost.

import { HUB, HUMAN, isAgentName, roleOf } from "../base/agent_names.ts";
import { isObject, isTime } from "../base/checks.ts";
import {
  type ClarificationRecord,
  type ClarificationStatus,
  isClarificationId,
  MAX_BODY,
  MAX_TOPIC,
  type ThreadEntry,
} from "../clarify/schema.ts";
import { byTime, type Line } from "../lines/line.ts";

/** The parts of a thread entry that machines share. */
export type SharedEntry = Pick<ThreadEntry, "round" | "from" | "type" | "body" | "timestamp">;

/** The parts of a question that never change. */
export type AskedPart =
  & Pick<ClarificationRecord, "from" | "to" | "topic" | "blocking" | "maxRounds" | "created">
  & {
    /** The id of the clarification on the machine that asked. */
    clr: string;
    /** The uid of the issue; null if that machine keeps no issue of this number. */
    issueUid: string | null;
  };

/** A line of a clarification. */
export interface SharedLine extends Line {
  op: "ask" | "say" | "mark";
  /** The question of `ask`. */
  asked?: AskedPart;
  /** The entry of `ask` and `say`. */
  entry?: SharedEntry;
  /** The status that `mark` sets. */
  status?: "stale" | "abandoned";
  /** The time at which the current question becomes stale, if the line changes that time. */
  staleAfter?: string;
}

/** A line, and the machine that wrote it. */
export interface WrittenLine {
  line: SharedLine;
  machine: string;
}

/** The state of a clarification that follows from its lines. */
export interface Folded {
  uid: string;
  asked: AskedPart;
  status: ClarificationStatus;
  round: number;
  staleAfter: string;
  resolvedAt: string | null;
  /** The lines of the thread, oldest first. */
  thread: (WrittenLine & { entry: SharedEntry })[];
  /** The ids of the lines that changed only the status. */
  marks: string[];
  /** Decisions that came too late, each with the line that had decided before. */
  lost: { line: SharedLine; to: WrittenLine }[];
}

/** Maximum length of an escalation. It quotes several texts, so it may be longer than each of them. */
const MAX_ESCALATION = 20_000;

const OPS = ["ask", "say", "mark"];

/** Returns the id of the machine that asked. */
export function homeOf(uid: string): string {
  return uid.slice(0, uid.indexOf("-"));
}

/** Returns in a few words why a line of a machine is refused; undefined if it counts. */
export function lineProblem(line: Line, machine: string): string | undefined {
  const { uid, op, asked, entry, status } = line;
  if (!OPS.includes(op)) return `it has the unknown kind ${op.slice(0, 20)}`;
  if (!/^[0-9a-v]{12}-[0-9a-f]{16}$/.test(uid)) return "its uid is not one";
  const isHome = homeOf(uid) === machine;
  if (op !== "say" && !isHome) return "only the machine that asked writes this";
  if (line.staleAfter !== undefined && !isTime(line.staleAfter)) return "staleAfter is not a time";
  if (op === "mark") return status === "stale" || status === "abandoned" ? undefined : "no status";
  if (op === "ask") {
    const why = askedProblem(asked);
    if (why !== undefined) return why;
    if (line.staleAfter === undefined) return "it has no time";
  }
  return entryProblem(entry, op);
}

function askedProblem(asked: unknown): string | undefined {
  if (!isObject(asked)) return "it asks nothing";
  const { clr, issueUid, from, to, topic, blocking, maxRounds, created } = asked;
  if (typeof clr !== "string" || !isClarificationId(clr)) return "its id is not one";
  if (issueUid !== null && (typeof issueUid !== "string" || issueUid.length > 128)) {
    return "its issue is not one";
  }
  if (!isAgentName(from) || !isAgentName(to)) return "a name in it is none";
  if (typeof topic !== "string" || topic.length > MAX_TOPIC) return "its topic is too long";
  const isWhole = typeof blocking === "boolean" && isRound(maxRounds) && isTime(created);
  return isWhole ? undefined : "it is incomplete";
}

function entryProblem(entry: unknown, op: string): string | undefined {
  if (!isObject(entry)) return "it says nothing";
  const { round, from, type, body, timestamp } = entry;
  const isKnown = type === "question" || type === "answer" || type === "resolution" ||
    type === "escalation";
  if (!isKnown || op === "ask" && type !== "question") return "its entry is of no known type";
  if (!isRound(round) || !isTime(timestamp) || !isAgentName(from)) return "its entry is incomplete";
  if (from === HUB && type !== "escalation") return "the hub answers and decides nothing";
  const max = type === "escalation" ? MAX_ESCALATION : MAX_BODY;
  return typeof body === "string" && body !== "" && body.length <= max
    ? undefined
    : `its text has not 1 to ${max} characters`;
}

function isRound(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 1_000;
}

/** Returns the clarification that some lines make; undefined if the `ask` line is missing. */
export function foldLines(lines: readonly WrittenLine[]): Folded | undefined {
  const ordered = inOrder(lines);
  const first = ordered.find(({ line }) => line.op === "ask");
  if (first === undefined) return undefined;
  const { uid, asked, staleAfter, entry } = first.line;
  const folded: Folded = {
    uid,
    asked: asked!,
    status: "pending",
    round: 1,
    staleAfter: staleAfter!,
    resolvedAt: null,
    thread: [{ ...first, entry: entry! }],
    marks: [],
    lost: [],
  };
  let decided = first;
  for (const each of ordered) {
    if (each.line.op === "ask") continue;
    if (apply(folded, each)) decided = each;
    else if (isDecision(each.line)) folded.lost.push({ line: each.line, to: decided });
  }
  return folded;
}

/** Applies a line; returns whether it changed the status. */
function apply(folded: Folded, written: WrittenLine): boolean {
  const { line } = written;
  const { entry, staleAfter } = line;
  const isUnanswered = folded.status === "pending" || folded.status === "stale";
  const isOpen = isUnanswered || folded.status === "answered";
  if (line.op === "mark") {
    folded.marks.push(line.id);
    const fits = line.status === "stale" ? folded.status === "pending" : isOpen;
    if (!fits) return false;
    folded.status = line.status!;
    folded.staleAfter = staleAfter ?? folded.staleAfter;
    return true;
  }
  const { type, from, round, timestamp } = entry!;
  const keep = () => void folded.thread.push({ ...written, entry: entry! });
  switch (type) {
    case "answer":
      keep(); // a late answer is kept, too
      if (!isUnanswered || round !== folded.round) return false;
      folded.status = "answered";
      return true;
    case "question": {
      const last = folded.thread.findLast(({ entry }) => entry.type === "question");
      // A human can have the target of an escalated question asked again, in the same words.
      const isAgain = folded.status === "escalated" && entry!.body === last?.entry.body;
      if (folded.status !== "answered" && !isAgain || round !== folded.round + 1) return false;
      folded.status = "pending";
      folded.round = round;
      folded.staleAfter = staleAfter ?? folded.staleAfter;
      break;
    }
    case "escalation":
      if (!isOpen) return false;
      folded.status = "escalated";
      break;
    case "resolution": {
      const isAllowed = from === HUMAN || isOpen && roleOf(from) === roleOf(folded.asked.from);
      if (!isAllowed || !isOpen && folded.status !== "escalated") return false;
      folded.status = "resolved";
      folded.resolvedAt = timestamp;
    }
  }
  keep();
  return true;
}

function isDecision({ op, entry }: SharedLine): boolean {
  return op === "say" && entry!.type !== "answer";
}

/**
 * Orders lines: each after the lines that its writer had seen, all others by rank and time. A missing line orders
 * nothing.
 */
function inOrder(lines: readonly WrittenLine[]): WrittenLine[] {
  const left = new Map(lines.map((each) => [each.line.id, each]));
  const ordered: WrittenLine[] = [];
  while (left.size > 0) {
    const all = [...left.values()];
    const free = all.filter(({ line }) =>
      !line.after?.some((id) => id !== line.id && left.has(id))
    );
    // Lines that order each other in a circle are forged. They are ordered by their times.
    const [next] = (free.length > 0 ? free : all).sort((a, b) =>
      rank(a.line) - rank(b.line) || byTime(a.line, b.line)
    );
    left.delete(next.line.id);
    ordered.push(next);
  }
  return ordered;
}

function rank({ op, entry }: SharedLine): number {
  if (op === "ask") return 0;
  if (op === "mark") return 5;
  if (entry!.type === "answer") return 1;
  if (entry!.type === "question") return 2;
  return entry!.from === HUMAN ? 3 : 4;
}
