// Tries the models of a role: the first one that is available answers.

import { hasCode } from "../base/errors.ts";
import { explainFailure, NO_MODEL } from "./failure.ts";

/**
 * Runs with the first one of some models. If a model does not exist or is at its limit, it is removed from the list,
 * with a notice, and the next one is tried. Undefined stands for the model that the host chooses.
 *
 * @throws {AgentxError} as `run` does
 */
export async function withModel<Reply>(
  agent: string,
  models: (string | undefined)[],
  run: (model: string | undefined) => Promise<Reply>,
  notify: (message: string) => void,
): Promise<Reply> {
  for (;;) {
    try {
      return await run(models[0]);
    } catch (error) {
      const why = hasCode(error, "AGENT_ERROR") ? whyAnother(error.details) : undefined;
      if (why === undefined || models.length < 2) throw error;
      const [left] = models.splice(0, 1);
      const next = models[0] ?? "the model that its host chooses";
      notify(`${agent}: the model ${left} is ${why}; trying ${next}`);
    }
  }
}

/** Returns why another model may answer after this failure; undefined if no other model can help. */
function whyAnother({ reason, final }: { reason: string; final?: string }): string | undefined {
  if (final === NO_MODEL) return "not available";
  const { kind } = explainFailure({ stdout: reason, stderr: "" });
  return kind === "limit" ? "at its limit" : undefined;
}
