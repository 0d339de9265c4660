// One call of a tool, from its intent to its result. A failure is a result too: the model gets it and continues.

import type { ToolOffer } from "../agents/language_model.ts";
import { objectOf } from "../base/checks.ts";
import type { OnAsked } from "../clarify/hub/requests.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { inertLines } from "../text/inert.ts";
import { ambiguityIn } from "./ambiguity.ts";
import {
  askThroughHub,
  type ClarificationNeed,
  type ClarificationResult,
  type Hub,
} from "./hub.ts";
import { inputProblem, type LoopTool, type ToolCall } from "./tool.ts";
import type { LoopCall } from "./transcript.ts";

/** The outcome of a call. Without a result, the call waits for somebody. */
export interface CallOutcome {
  /** The text for the model; null while the call waits. */
  result: string | null;
  isError: boolean;
  clarificationId: string | null;
  /** Present if the loop has to wait until somebody else has acted. `text` is the message for people. */
  waits?: { exit: "paused" | "escalated"; text: string };
}

const MAX_RESULT = 40_000;

const UNKNOWN =
  "The outcome of this call is unknown: the session was interrupted while it ran. It was " +
  "not made again. Find out what it did before you repeat it.";

/**
 * Runs a call with any arguments. `tool` is undefined if no tool has the name; `as` is passed to the tool. Throws
 * `INTERRUPTED` when the signal fires.
 */
export async function runCall(
  call: LoopCall,
  tool: LoopTool | undefined,
  as: ToolCall,
): Promise<CallOutcome> {
  if (tool === undefined) return failed(`There is no tool "${call.tool}"`);
  const problem = inputProblem(call.input, tool);
  if (problem !== undefined) return failed(problem);
  if (call.state === "begun" && tool.isIdempotent !== true) return failed(UNKNOWN);
  try {
    const result = await tool.run(objectOf(call.input), as);
    const ok = { isError: false, clarificationId: null };
    if (typeof result === "string") return { ...ok, result: shortened(result) };
    return { ...ok, result: null, waits: { exit: "paused", text: result.waitsFor } };
  } catch (error) {
    return failed(reasonOf(error, as.signal));
  }
}

export interface ClarificationOptions {
  /** The tool as the model sees it. */
  offer: ToolOffer;
  /** Called for a question in place of the hub. */
  onClarificationNeeded?: OnClarificationNeeded;
  hub: Hub;
  maxRounds: number | undefined;
  /** The reason why the call must not begin a clarification; undefined if it may. */
  refusal: string | undefined;
  blocking: boolean;
  /** Called with the question before its target is run. */
  onAsked: OnAsked;
}

/**
 * Called for each ambiguity (ADR-1 decision 6). If the result is pending and has an id, a resumed loop calls it
 * again under the same call id.
 *
 * @param more the agent to ask, the clarification, and the call
 */
export type OnClarificationNeeded = (
  topic: string,
  question: string,
  more: Omit<ClarificationNeed, "topic" | "question"> & ToolCall,
) => Promise<ClarificationResult>;

/** Runs a call of the tool with which a model asks. Throws `INTERRUPTED` when the signal fires. */
export async function runClarification(
  call: LoopCall,
  as: ToolCall,
  { offer, onClarificationNeeded, hub, onAsked, maxRounds, refusal, blocking }:
    ClarificationOptions,
): Promise<CallOutcome> {
  const problem = inputProblem(call.input, offer);
  if (problem !== undefined) return failed(problem);
  if (refusal !== undefined) return failed(refusal);
  const isAsked = call.clarificationId !== null;
  const asked = ambiguityIn(objectOf(call.input));
  const clarificationId = call.clarificationId ?? asked.clarificationId;
  const need = { ...asked, clarificationId, isAsked, maxRounds, blocking };
  try {
    const { topic, question, ...more } = need;
    if (onClarificationNeeded === undefined) {
      return outcomeOf(await askThroughHub(need, as, { hub, onAsked }), need);
    }
    if (call.state === "begun" && !isAsked) return failed(UNKNOWN);
    return outcomeOf(await onClarificationNeeded(topic, question, { ...more, ...as }), need);
  } catch (error) {
    return failed(reasonOf(error, as.signal));
  }
}

function outcomeOf(
  { status, clarificationId, text }: ClarificationResult,
  { to, blocking }: ClarificationNeed,
): CallOutcome {
  const id = clarificationId ?? "the clarification";
  const succeeded = (result: string) => ({ result, isError: false, clarificationId });
  switch (status) {
    case "answered":
      return succeeded(shortened(`Answer of ${to} (${id}):\n${text}`));
    case "abandoned":
      return { ...failed(`${id} was abandoned without an answer`), clarificationId };
    case "escalated":
      return { ...succeeded(""), result: null, waits: { exit: "escalated", text } };
    case "pending": {
      const waiting = `${id} is waiting for an answer from ${to}`;
      if (!blocking) {
        const result = `${waiting}. Continue without it, and say what you assume.`;
        return { ...succeeded(result), clarificationId: null }; // no answer can settle it
      }
      const why = [waiting, ...text === "" ? [] : [text]].join(";\n");
      return { ...succeeded(""), result: null, waits: { exit: "paused", text: why } };
    }
  }
}

function failed(reason: string): CallOutcome {
  return { result: shortened(reason), isError: true, clarificationId: null };
}

/**
 * Returns the reason of a failure. If the call was stopped, throws instead, because a stopped call has no result yet.
 */
function reasonOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted || hasCode(error, "INTERRUPTED")) throw error;
  if (error instanceof AgentxError) return error.oneLine;
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return String(error);
}

/** Shortens a result, and states how much was left out, so that the model can ask for less. */
function shortened(text: string): string {
  const inert = inertLines(text).join("\n");
  if (inert.length <= MAX_RESULT) return inert;
  const left = inert.length - MAX_RESULT;
  return `${inert.slice(0, MAX_RESULT).toWellFormed()}\n[left out: ${left} characters]`;
}
