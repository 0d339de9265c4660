// Where an agentic loop stops, for any model: one that loops for ever costs money. Pure.

import type { LoopCall, LoopEnd, LoopTranscript, LoopTurn } from "./transcript.ts";

/** Why and with which words a run ends. */
export type RunEnd = Omit<LoopEnd, "at">;

/** Turns of a run. */
export const MAX_RUN_TURNS = 50;
/** Turns in a row that are refused the same. */
const MAX_REFUSALS = 3;
/** Tokens of a run, sent and received. */
export const MAX_TOKENS = 2_000_000;

/**
 * Why a run ends here; undefined if it may continue. `transcript` counts from the last time that it
 * was resumed after a limit.
 */
export function limitReached(
  { iterations, tokens, countedFrom, turns }: LoopTranscript,
  { maxIterations = MAX_RUN_TURNS, maxTokens = MAX_TOKENS }: {
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
  const last = turns.slice(-MAX_REFUSALS);
  const isStuck = refusedAlike(last, ({ input }) => input) ||
    refusedAlike(last, ({ result }) => result);
  if (!isStuck) return undefined;
  const why = last.flatMap((turn) => turn.role === "user" ? [] : turn.calls).at(-1)?.result;
  return { exit: "stuck", text: `The same call was refused ${MAX_REFUSALS} times: ${why}` };
}

/** Whether all turns made only the same calls, compared by one part, and every call was refused. */
function refusedAlike(turns: readonly LoopTurn[], part: (call: LoopCall) => unknown): boolean {
  const made = turns.map((turn) =>
    turn.role === "assistant" && turn.calls.every(({ isError }) => isError)
      ? JSON.stringify(turn.calls.map((call) => [call.tool, part(call)]))
      : ""
  );
  return made.length === MAX_REFUSALS && made[0] !== "" && new Set(made).size === 1;
}
