// How a model signals that something is unclear: by calling a tool or, if the model cannot call tools, by a line of
// its text. Pure.

import type { ToolOffer } from "../agents/language_model.ts";
import type { JsonObject } from "../base/checks.ts";
import { MAX_BODY, MAX_TOPIC } from "../clarify/schema.ts";
import { CLARIFY_TOOL, textIn } from "./tool.ts";

/** A model's question, in its own words. */
export interface Ambiguity {
  /** The agent to ask. */
  to: string;
  /** The topic, in a few words. */
  topic: string;
  /** The question. */
  question: string;
  /** The existing clarification that the question continues; undefined for a new one. */
  clarificationId?: string;
}

/**
 * The line that signals a question in a model's text: `CLARIFY architect [Database layer]: Which one?`. Its groups
 * are `question`, and `to` and `topic`, which are optional.
 */
export const AMBIGUITY_SIGNAL =
  /^[ \t]*CLARIFY[ \t]+(?<to>[a-z][a-z0-9-]*)[ \t]*(?:\[(?<topic>[^\]\n]+)\])?[ \t]*:[ \t]*(?<question>\S[^\n]*)$/m;

/** Returns the tool as the model sees it; undefined if the model may ask nobody. */
export function clarificationTool(canClarify: readonly string[]): ToolOffer | undefined {
  if (canClarify.length === 0) return undefined;
  return {
    name: CLARIFY_TOOL,
    description:
      "Ask another agent instead of guessing, whenever the task, a design or a decision " +
      "is unclear. The result is its answer. Ask again in the same clarification if it is not enough.",
    input: {
      type: "object",
      properties: {
        to: { type: "string", enum: canClarify, description: "The agent that decided it" },
        topic: { type: "string", description: `A few words, ${MAX_TOPIC} characters at most` },
        question: { type: "string", description: `The question, ${MAX_BODY} characters at most` },
        clarification_id: {
          type: "string",
          description: "Such as CLR-42-001, to ask again in that clarification",
        },
      },
      required: ["to", "topic", "question"],
    },
  };
}

/** Returns the question in a call of the tool. */
export function ambiguityIn(input: JsonObject): Ambiguity {
  return {
    to: textIn(input, "to") ?? "",
    topic: textIn(input, "topic") ?? "",
    question: textIn(input, "question") ?? "",
    clarificationId: textIn(input, "clarification_id"),
  };
}

/**
 * Reads the signal in a text as arguments of the tool. A signal without an agent goes to the first agent that may be
 * asked. Returns undefined without a signal.
 */
export function signalIn(
  text: string,
  signal: RegExp,
  canClarify: readonly string[],
): JsonObject | undefined {
  const groups = new RegExp(signal.source, signal.flags.replace(/[gy]/g, "")).exec(text)?.groups;
  const question = groups?.question?.trim();
  if (!question || canClarify.length === 0) return undefined;
  const to = groups?.to ?? canClarify[0];
  const topic = [...groups?.topic?.trim() || question].slice(0, MAX_TOPIC).join("");
  return { to, topic, question };
}
