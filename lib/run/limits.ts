// Where an agentic loop stops, for any model: one that loops for ever costs money. Pure.

import type { LoopEnd, LoopTranscript } from "./transcript.ts";

/** Why and with which words a run ends. */
export type RunEnd = Omit<LoopEnd, "at">;

/** Turns of a run. */
export const MAX_ITERATIONS = 50;
/** Tokens of a run, sent and received. */
export const MAX_TOKENS = 2_000_000;

/**
 * Why a run ends here; undefined if it may continue. `transcript` counts from the last time that it
 * was resumed after a limit.
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
