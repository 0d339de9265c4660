// The limits at which an agentic loop stops, with any model. A loop without limits could cost any amount of money.
// Pure.

import type { LoopCall, LoopEnd, LoopTranscript, LoopTurn } from "./transcript.ts";

/** The reason why a run ends, with a text. */
export type RunEnd = Omit<LoopEnd, "at">;

/** The maximum number of turns in a run. */
export const MAX_RUN_TURNS = 50;
/** The number of equal refusals in a row after which a run is stuck. */
const MAX_REFUSALS = 3;
/** The maximum number of tokens in a run, sent and received. */
export const MAX_TOKENS = 2_000_000;

/**
 * Returns why a run has to end now; undefined if it may continue. After a limit, the counts start again when the
 * session is resumed.
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
