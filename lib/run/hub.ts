// Sends the clarifications of an agentic loop through the hub. Each call of the tool asks once, even if the loop was
// killed in between.

import type { OnAsked } from "../clarify/hub/requests.ts";
import { outcomeOf, settledAnswer } from "../clarify/hub/outcome.ts";
import type { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import type { ClarificationRouter } from "../clarify/hub/router.ts";
import { describeReach, type Unreached, waysOut } from "../clarify/reach.ts";
import type { Runs } from "../clarify/runs/runs.ts";
import {
  askerOf,
  type ClarificationRecord,
  isUnanswered,
  lastEntry,
  type ThreadEntry,
} from "../clarify/schema.ts";
import { untilAnswered } from "../clarify/hub/until_answered.ts";
import { hasCode } from "../base/errors.ts";
import type { Ambiguity } from "./ambiguity.ts";
import type { ToolCall } from "./tool.ts";

/** A model's question to the hub. */
export interface ClarificationNeed extends Ambiguity {
  /** Whether this very call has already asked and is waiting. */
  isAsked: boolean;
  /** The maximum number of rounds; undefined for the maximum of the workflow. */
  maxRounds?: number;
  /** Whether the loop waits for the answer. */
  blocking: boolean;
}

/** The outcome of a question. */
export interface ClarificationResult {
  /** `pending`: the question has no answer yet; `escalated`: a human has to decide. */
  status: "answered" | "pending" | "escalated" | "abandoned";
  /** Such as `CLR-42-001`; null if the question did not go through the hub. */
  clarificationId: string | null;
  /** The answer, or the summary of an escalation; without one, the reason and a person's next step, if known. */
  text: string;
}

/** The parts of a workspace that clarifications need. */
export interface Hub {
  /** Returns the router, which asks, answers, resolves and escalates. */
  router(): Promise<ClarificationRouter>;
  ledger: ClarificationLedger;
  /** The processes that run the targets of questions. */
  runs: Runs;
}

/**
 * Asks a question, or continues with the question that this call asked before. Throws `SCOPE_VIOLATION`,
 * `GATE_REFUSED`, `INVALID_INPUT`, `NOT_FOUND`, `INVALID_TRANSITION`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`,
 * `INTERRUPTED`.
 */
export async function askThroughHub(
  need: ClarificationNeed,
  call: ToolCall,
  { hub, onAsked }: { hub: Hub; onAsked: OnAsked },
): Promise<ClarificationResult> {
  const { ledger } = hub;
  const asked = findAsked(ledger, call);
  if (asked !== undefined) return await takeUp(asked.record, asked.entry, call, hub);
  if (need.clarificationId !== undefined) {
    const record = ledger.getById(need.clarificationId);
    // A question for which no round was left has no entry in the thread.
    if (need.isAsked || record.status === "escalated") return resultOf(record, null);
  }
  try {
    const { clarification, round, reach } = await ask(need, call, { hub, onAsked });
    return resultOf(clarification, round, reach);
  } catch (error) {
    const isRefused = hasCode(error, "MAX_ROUNDS_EXCEEDED") || hasCode(error, "GATE_REFUSED");
    const refused = isRefused ? refusedQuestion(need, call, ledger) : undefined;
    if (refused?.status !== "escalated") throw error;
    return resultOf(refused, null);
  }
}

/** Returns the clarification of a refused question. If no round or no turn on the issue was left, a human was asked. */
function refusedQuestion(
  { clarificationId }: ClarificationNeed,
  call: ToolCall,
  ledger: ClarificationLedger,
): ClarificationRecord | undefined {
  const asked = findAsked(ledger, call)?.record;
  return asked ?? (clarificationId && ledger.findReadable(clarificationId) || undefined);
}

async function ask(
  need: ClarificationNeed,
  { agent, issueNumber, hostSession, callId, signal }: ToolCall,
  { hub: { router }, onAsked }: { hub: Hub; onAsked: OnAsked },
) {
  const { to, topic, question, clarificationId, maxRounds, blocking } = need;
  const how = { session: hostSession, callId, signal, onAsked };
  if (clarificationId !== undefined) {
    return await (await router()).followUp({ clarificationId, question, by: agent, ...how });
  }
  return await (await router()).requestClarification({
    issueNumber,
    fromAgent: agent,
    toAgent: to,
    topic,
    question,
    blocking,
    maxRounds,
    ...how,
  });
}

/** Finds the question of a call in the ledger, which still has it after a kill. */
function findAsked(
  ledger: ClarificationLedger,
  { issueNumber, callId }: ToolCall,
): { record: ClarificationRecord; entry: ThreadEntry } | undefined {
  for (const record of ledger.getByIssue(issueNumber)) {
    const entry = record.thread.find((entry) => entry.callId === callId);
    if (entry !== undefined) return { record, entry };
  }
  return undefined;
}

/**
 * Continues with a question that was asked before. The process that asked may have ended. Then the target is run by
 * this process, unless another process is running it.
 */
async function takeUp(
  record: ClarificationRecord,
  { round }: ThreadEntry,
  { signal }: ToolCall,
  { router, runs, ledger }: Hub,
): Promise<ClarificationResult> {
  const reach = await runs.reach(record.to);
  if (!isUnanswered(record)) return resultOf(record, round);
  if (reach.by !== "run") return resultOf(record, round, reach);
  const { id } = record;
  if (!runs.isServed(record.to)) {
    const outcome = await (await router()).runOpen(id, { by: askerOf(record), signal });
    if (outcome !== undefined) return resultOf(outcome.clarification, round);
  }
  const answered = await untilAnswered(ledger, id, {
    signal,
    round: record.round,
    untilOverdue: true,
  });
  return resultOf(answered, round);
}

/** Returns the outcome of a clarification. A human's decision takes precedence over an answer. */
function resultOf(
  record: ClarificationRecord,
  round: number | null,
  reach?: Unreached,
): ClarificationResult {
  const { id: clarificationId, status } = record;
  if (status === "escalated") {
    const text = lastEntry(record, "escalation")?.body ?? "";
    return { status, clarificationId, text };
  }
  const text = status === "resolved"
    ? (settledAnswer(record) ?? lastEntry(record, "resolution"))?.body
    : outcomeOf(record, round).answer ?? undefined;
  if (text !== undefined) return { status: "answered", clarificationId, text };
  if (status === "abandoned") return { status, clarificationId, text: "" };
  const why = reach && [`${describeReach(reach)};`, ...waysOut(reach, clarificationId)].join("\n");
  return { status: "pending", clarificationId, text: why ?? "" };
}

/**
 * Ends a clarification after a sufficient answer. A clarification that somebody else has ended is not changed.
 * Throws `NOT_FOUND`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`.
 */
export async function settleThroughHub(
  id: string,
  { agent, hostSession, body }: { agent: string; hostSession: string; body: string },
  { router, ledger }: Hub,
): Promise<ClarificationRecord> {
  const record = ledger.getById(id);
  if (record.status !== "answered") return record;
  try {
    const { clarification } = await (await router()).resolveClarification({
      clarificationId: id,
      resolutionBody: body,
      by: agent,
      session: hostSession,
    });
    return clarification;
  } catch (error) {
    if (!hasCode(error, "INVALID_TRANSITION")) throw error;
    return ledger.getById(id);
  }
}
