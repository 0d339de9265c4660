/**
 * Where an agentic loop stops, whatever its model wants: a model that loops for ever costs money. Pure.
 *
 * @module
 */

import type { LoopEnd, LoopTranscript } from "./transcript.ts";

/** Why and with which words a run ends. */
export type RunEnd = Omit<LoopEnd, "at">;

/** Turns of a run. */
export const MAX_ITERATIONS = 50;
/** Tokens of a run, sent and received. */
export const MAX_TOKENS = 2_000_000;

/**
 * @param transcript with what was used since it was last resumed after a limit
 * @param limits how often the model is asked, and with how many tokens
 * @returns why it ends here; undefined if it may continue
 */
export function limitReached(
  { iterations, tokens, countedFrom }: LoopTranscript,
  { maxIterations = MAX_ITERATIONS, maxTokens = MAX_TOKENS }: {
    maxIterations?: number;
    maxTokens?: number;
  },
): RunEnd | undefined {
  if (iterations - countedFrom.iterations >= maxIterations) {
    return { exit: "max_iterations", text: `It has reached its limit of ${maxIterations} turns` };
  }
  if (tokens - countedFrom.tokens >= maxTokens) {
    return { exit: "budget", text: `It has used its budget of ${maxTokens} tokens` };
  }
  return undefined;
}
