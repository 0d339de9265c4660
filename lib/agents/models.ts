// The models of a role: the first that is there answers.

import { hasCode } from "../base/errors.ts";
import { NO_MODEL } from "./failure.ts";

/**
 * Runs with the first of some models; where there is no such model, it is taken off the list, which is
 * notified of, and the next one is tried. Undefined is the model that the host chooses.
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
      const isMissing = hasCode(error, "AGENT_ERROR") && error.details.final === NO_MODEL;
      if (!isMissing || models.length < 2) throw error;
      const [missing] = models.splice(0, 1);
      const next = models[0] ?? "the model that its host chooses";
      notify(`${agent}: the model ${missing} is not available; trying ${next}`);
    }
  }
}
