// The outcome of a question as the tools report it. Claude Code and Codex show a model only the structured part, so
// that part also contains the possible next steps. Pure.

import type { ClarificationOutcome } from "../clarify/hub/outcome.ts";
import { type ClarificationRecord, lastEntry, type ThreadEntry } from "../clarify/schema.ts";
import { terminalBlock } from "../text/text.ts";
import type { ToolResult } from "./tool.ts";

/** Returns the result of a tool on a clarification; `answer` is the answer to this call's question, or null. */
export function outcomeResult(
  clarification: ClarificationRecord,
  { answer, deadlock, next = NEXT[clarification.status] }: {
    answer: ClarificationOutcome["answer"];
    deadlock?: ClarificationOutcome["deadlock"];
    next?: string;
  },
): ToolResult {
  const { id: clarificationId, status, round, maxRounds } = clarification;
  const last = answer === null ? clarification.thread.at(-1) : answerEntry(clarification, answer);
  const escalation = lastEntry(clarification, "escalation")?.body;
  const why = status === "escalated" ? { escalation, ...deadlock && { deadlock } } : {};
  return {
    structured: { clarificationId, status, round, maxRounds, answer, ...why, next },
    text: [
      `${clarificationId} is ${status}, round ${round} of ${maxRounds}.`,
      ...(last === undefined || last.type === "question" ? [] : entryLines(last)),
      next,
    ].join("\n"),
  };
}

function entryLines({ from, type, body }: ThreadEntry): string[] {
  const [label] = terminalBlock(`${type} of ${from}`, { indent: " " });
  return [`${label.trim()}:`, ...terminalBlock(body, { indent: "  | " })];
}

function answerEntry({ thread }: ClarificationRecord, answer: string): ThreadEntry | undefined {
  return thread.findLast(({ type, body }) => type === "answer" && body === answer);
}

/** The possible next steps for each status. */
const NEXT: Readonly<Record<ClarificationRecord["status"], string>> = {
  pending:
    "To keep waiting, call clarify_ask with this id alone; the same question is not asked twice.",
  stale: "It has waited too long. clarify_ask with this id and the question runs its target again.",
  answered: "Ask again with clarify_ask and this id, or end it with clarify_resolve.",
  resolved: "Nothing is left to do.",
  escalated: "A human decides it. Continue with what does not depend on it.",
  abandoned: "Nothing is left to do.",
};
