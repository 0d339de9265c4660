// The transcript of an agentic loop: all that another process needs to resume it, as plain JSON. Pure.
//
// A call of a tool is written down three times: with the turn that wants it, when it begins, and
// with its result. So after a kill each call is known to have been made, not made, or maybe made.

import type { ModelCall, ModelMessage, ModelTurn } from "../agents/language_model.ts";
import { isObject, type JsonObject } from "../base/checks.ts";
import { CLARIFY_TOOL } from "./tool.ts";

/** Why a loop ended; all but `complete` can be resumed. */
export type LoopExit =
  | "complete"
  | "paused"
  | "escalated"
  | "max_iterations"
  | "budget"
  | "model_error"
  | "stuck"
  | "abort";

/** The last end of a loop. */
export interface LoopEnd {
  exit: LoopExit;
  /** The last words of the agent, the summary of an escalation, or the reason. */
  text: string;
  /** ISO-8601, UTC. */
  at: string;
}

export interface LoopCall {
  /** From 1, over the whole transcript. */
  number: number;
  tool: string;
  /** The arguments; the text itself where the model wrote no object in JSON. */
  input: JsonObject | string;
  /** `begun` without a result: it was made, or it was not. */
  state: "waiting" | "begun" | "done";
  /** ISO-8601, UTC: when it first began. */
  begunAt: string | null;
  /** Null until it is done. */
  result: string | null;
  isError: boolean;
  /** The clarification that it asked, or asked in. */
  clarificationId: string | null;
}

/** A turn of the person with the task, or of the agent. */
export type LoopTurn =
  | { role: "user"; text: string; at: string }
  | { role: "assistant"; text: string; at: string; calls: LoopCall[] };

export type AgentTurn = Extract<LoopTurn, { role: "assistant" }>;

/** A summary of the turns that the context no longer has. */
export interface TurnSummary {
  /** So many turns from the start. */
  turns: number;
  summary: string;
}

export interface LoopTranscript {
  version: 1;
  /** The session, such as `engineer-1709035100000-x7y8z9`. */
  id: string;
  /** The agent with its worker, such as `engineer@run-3f2a`. */
  agent: string;
  /** The session as the hub knows those of hosts. */
  hostSession: string;
  issueNumber: number;
  /** The `uid` of that issue; null where it is not known. */
  issueUid: string | null;
  /** ISO-8601, UTC. */
  started: string;
  /** The name and the rules of the agent. */
  system: string;
  /** The recalled memory of earlier sessions, as it stands in `system`; empty without any. */
  recalled: string;
  /** How often the model was asked, in all. */
  iterations: number;
  /** Estimated tokens that were sent and received, in all. */
  tokens: number;
  /** How much of both was used when it was last resumed after a limit: limits count from there. */
  countedFrom: { iterations: number; tokens: number };
  turns: LoopTurn[];
  /** The clarifications that are settled, with what stands for each in the context. */
  settled: { id: string; summary: string }[];
  compaction: TurnSummary | null;
  /** Null while it runs, and if it was cut off. */
  end: LoopEnd | null;
}

/** A step of a session: a line of its file. */
export interface TranscriptChange
  extends Partial<Omit<LoopTranscript, "version" | "id" | "turns" | "settled">> {
  /** The next turn. */
  turn?: LoopTurn;
  /** News of a call. */
  call?: Partial<LoopCall> & Pick<LoopCall, "number">;
  /** A clarification that is settled since. */
  thread?: LoopTranscript["settled"][number];
}

/** The transcript after a step. */
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

/** The next step, which follows from the transcript alone. */
export function nextStep(transcript: LoopTranscript): NextStep {
  const last = transcript.turns.at(-1)!;
  if (last.role === "user") return { kind: "respond" };
  const [id] = openThreads(transcript).filter((id) => !asksIn(last, id));
  if (id !== undefined) return { kind: "settle", id };
  const call = last.calls.find(({ state }) => state !== "done");
  if (call !== undefined) return { kind: "call", call };
  return last.calls.length === 0 ? { kind: "complete", text: last.text } : { kind: "respond" };
}

/** The clarifications that were answered, and may still be asked in, the oldest first. */
function openThreads({ turns, settled }: LoopTranscript): string[] {
  const answered = callsOf(turns).filter(({ state }) => state === "done")
    .flatMap(({ clarificationId }) => clarificationId ?? []);
  return [...new Set(answered)].filter((id) => settled.every((thread) => thread.id !== id));
}

/** All calls, in the order of their requests. */
export function callsOf(turns: readonly LoopTurn[]): LoopCall[] {
  return turns.flatMap((turn) => turn.role === "assistant" ? turn.calls : []);
}

/** A turn asks in a clarification where one of its calls did, or is about to. */
function asksIn({ calls }: AgentTurn, id: string): boolean {
  return calls.some(({ tool, input, clarificationId }) =>
    tool === CLARIFY_TOOL &&
    (clarificationId === id || isObject(input) && input.clarification_id === id)
  );
}

/** Names of tools that endpoints accept: a model may write anything, and gets it back. */
const TOOL_NAME = /^[\w-]{1,64}$/;
const UNUSABLE_NAME = "unknown_tool";

/** The calls of a turn of the model, as the transcript begins to keep them. */
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
 * Turns a transcript into the conversation that the model sees, oldest message first: a settled
 * clarification is one line, and compacted turns are their summary.
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

/** All that a message holds, for counting it. */
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
