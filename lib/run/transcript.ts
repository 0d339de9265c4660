// The transcript of an agentic loop: all data that another process needs to resume the loop, as plain JSON. Pure.
//
// A call of a tool is recorded three times: with the turn that requests it, when it begins, and with its result. So
// after a kill, the transcript shows of each call whether it was made, was not made, or may have been made.

import type { ModelCall, ModelMessage, ModelTurn } from "../agents/language_model.ts";
import { isObject, type JsonObject } from "../base/checks.ts";
import { CLARIFY_TOOL } from "./tool.ts";

/** The reason why a loop ended. Every loop can be resumed; after `complete`, a new task is needed. */
export type LoopExit =
  | "complete"
  | "paused"
  | "escalated"
  | "max_iterations"
  | "budget"
  | "model_error"
  | "stuck"
  | "abort";

/** The most recent end of a loop. */
export interface LoopEnd {
  exit: LoopExit;
  /** The last words of the agent, the summary of an escalation, or the reason in words. */
  text: string;
  /** ISO-8601, UTC. */
  at: string;
}

export interface LoopCall {
  /** The number of the call, from 1, over the whole transcript. */
  number: number;
  tool: string;
  /** The arguments; a text if the model did not write a JSON object. */
  input: JsonObject | string;
  /** `begun` without a result means that the call may or may not have been made. */
  state: "waiting" | "begun" | "done";
  /** ISO-8601, UTC: when the call first began; null before. */
  begunAt: string | null;
  /** The result; null until the call is done. */
  result: string | null;
  isError: boolean;
  /** The clarification that the call began or asked in. */
  clarificationId: string | null;
}

/** A turn of the person who gives the task, or of the agent. */
export type LoopTurn =
  | { role: "user"; text: string; at: string }
  | { role: "assistant"; text: string; at: string; calls: LoopCall[] };

export type AgentTurn = Extract<LoopTurn, { role: "assistant" }>;

/** A summary that replaces the oldest turns in the context. */
export interface TurnSummary {
  /** The number of replaced turns, from the start. */
  turns: number;
  summary: string;
}

export interface LoopTranscript {
  version: 1;
  /** The session, such as `engineer-1709035100000-x7y8z9`. */
  id: string;
  /** The agent with its worker, such as `engineer@run-3f2a`. */
  agent: string;
  /** The session's id in the hub, in the form of host sessions. */
  hostSession: string;
  issueNumber: number;
  /** The `uid` of the issue; null if it is not known. */
  issueUid: string | null;
  /** ISO-8601, UTC. */
  started: string;
  /** The system prompt. */
  system: string;
  /** The recalled memory of earlier sessions, as `system` contains it; empty if nothing was recalled. */
  recalled: string;
  /** The number of turns of the model, in all runs. */
  iterations: number;
  /** Estimated tokens that were sent and received, in all runs. */
  tokens: number;
  /** Both counts at the last resume after a limit. Limits count from these values. */
  countedFrom: { iterations: number; tokens: number };
  turns: LoopTurn[];
  /** The settled clarifications, each with the summary that replaces it in the context. */
  settled: { id: string; summary: string }[];
  compaction: TurnSummary | null;
  /** The end of the last run; null while the loop runs, and if it was interrupted. */
  end: LoopEnd | null;
}

/** A step of a session, which is one line of its file. */
export interface TranscriptChange
  extends Partial<Omit<LoopTranscript, "version" | "id" | "turns" | "settled">> {
  /** The turn to add. */
  turn?: LoopTurn;
  /** Changed fields of a call. */
  call?: Partial<LoopCall> & Pick<LoopCall, "number">;
  /** A clarification that this step settled. */
  thread?: LoopTranscript["settled"][number];
}

/** Returns the transcript after a step. */
export function afterStep(
  transcript: LoopTranscript,
  { turn, call, thread, ...values }: TranscriptChange,
): LoopTranscript {
  const { turns, settled } = transcript;
  const isChanged = ({ number }: LoopCall) => number === call?.number;
  const called = call === undefined
    ? turns
    : turns.map((turn) =>
      turn.role === "user" || !turn.calls.some(isChanged) ? turn : {
        ...turn,
        calls: turn.calls.map((each) => isChanged(each) ? { ...each, ...call } : each),
      }
    );
  return {
    ...transcript,
    ...values,
    turns: turn === undefined ? called : [...called, turn],
    settled: thread === undefined ? settled : [...settled, thread],
  };
}

type NextStep =
  | { kind: "respond" }
  | { kind: "settle"; id: string }
  | { kind: "call"; call: LoopCall }
  | { kind: "complete"; text: string };

/** Returns the next step, which follows from the transcript alone. */
export function nextStep(transcript: LoopTranscript): NextStep {
  const last = transcript.turns.at(-1)!;
  if (last.role === "user") return { kind: "respond" };
  const [id] = openThreads(transcript).filter((id) => !asksIn(last, id));
  if (id !== undefined) return { kind: "settle", id };
  const call = last.calls.find(({ state }) => state !== "done");
  if (call !== undefined) return { kind: "call", call };
  return last.calls.length === 0 ? { kind: "complete", text: last.text } : { kind: "respond" };
}

/** Returns the clarifications with an answer that are not settled yet, the oldest first. */
function openThreads({ turns, settled }: LoopTranscript): string[] {
  const answered = callsOf(turns).filter(({ state }) => state === "done")
    .flatMap(({ clarificationId }) => clarificationId ?? []);
  return [...new Set(answered)].filter((id) => settled.every((thread) => thread.id !== id));
}

/** Returns all calls, in the order of their requests. */
export function callsOf(turns: readonly LoopTurn[]): LoopCall[] {
  return turns.flatMap((turn) => turn.role === "assistant" ? turn.calls : []);
}

/** Whether a turn asks in a clarification: one of its calls has asked in it, or will. */
function asksIn({ calls }: AgentTurn, id: string): boolean {
  return calls.some(({ tool, input, clarificationId }) =>
    tool === CLARIFY_TOOL &&
    (clarificationId === id || isObject(input) && input.clarification_id === id)
  );
}

/**
 * Matches the tool names that endpoints accept. A model may write any name, and its calls are sent back to the
 * endpoint.
 */
const TOOL_NAME = /^[\w-]{1,64}$/;
const UNUSABLE_NAME = "unknown_tool";

/** Returns the calls of a model's turn, as a transcript first stores them. */
export function newCalls(
  transcript: LoopTranscript,
  { calls }: Pick<ModelTurn, "calls">,
): LoopCall[] {
  const before = callsOf(transcript.turns).length;
  return calls.map(({ name, input }, index) => ({
    number: before + index + 1,
    tool: TOOL_NAME.test(name) ? name : UNUSABLE_NAME,
    input,
    state: "waiting",
    begunAt: null,
    result: null,
    isError: false,
    clarificationId: null,
  }));
}

/**
 * Returns the conversation that the model sees, oldest message first. A settled clarification becomes one line, and
 * compacted turns become their summary.
 */
export function messagesOf({ turns, settled, compaction }: LoopTranscript): ModelMessage[] {
  const messages: ModelMessage[] = [];
  if (compaction !== null) messages.push({ role: "user", text: compaction.summary });
  const kept = turns.slice(compaction?.turns ?? 0);
  const last = new Map(
    callsOf(kept).flatMap(({ clarificationId, number }) =>
      clarificationId === null ? [] : [[clarificationId, number]]
    ),
  );
  for (const turn of kept) {
    if (turn.role === "user") {
      messages.push({ role: "user", text: turn.text });
      continue;
    }
    const threadOf = ({ clarificationId }: LoopCall) =>
      settled.find(({ id }) => id === clarificationId);
    const calls = turn.calls.filter((call) => threadOf(call) === undefined);
    if (turn.text !== "" || calls.length > 0) {
      messages.push({ role: "assistant", text: turn.text, calls: calls.map(toModelCall) });
    }
    for (const call of calls) {
      const { result, isError } = call;
      messages.push({ role: "tool", callId: wireId(call), text: result ?? "", isError });
    }
    for (const call of turn.calls) {
      const thread = threadOf(call);
      if (thread === undefined || last.get(thread.id) !== call.number) continue;
      messages.push({ role: "user", text: thread.summary });
    }
  }
  return messages;
}

/** Returns the whole text of a message, for counting its tokens. */
export function textOfMessage(message: ModelMessage): string {
  if (message.role !== "assistant") return message.text;
  const calls = message.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [message.text, ...calls].join("\n");
}

function toModelCall(call: LoopCall): ModelCall {
  return { id: wireId(call), name: call.tool, input: call.input };
}

function wireId({ number }: LoopCall): string {
  return `call_${number}`;
}
