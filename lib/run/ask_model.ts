// Gets one turn of a model, with retries. A failed turn has had no effect, so it can be requested again.

import type { LanguageModel, ModelRequest, ModelTurn } from "../agents/language_model.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

/** The maximum number of requests for one turn. */
const MODEL_TRIES = 3;

/** The wait before the second request, in milliseconds. It grows with each request. */
const RETRY_MS = 1_000;

export type AskedModel = { turn: ModelTurn } | { failure: string };

/**
 * Asks a model for its turn. If the model failed for good, or too often, the result has the reason. `onRetry` is
 * called with the reason before each new request. Throws `INTERRUPTED` when the signal fires.
 */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  onRetry: (reason: string) => void,
): Promise<AskedModel> {
  for (let tries = 1;; tries++) {
    try {
      return { turn: await model.respond(request) };
    } catch (error) {
      if (!hasCode(error, "AGENT_ERROR")) throw error;
      const { final, reason } = error.details;
      if (final !== undefined || tries === MODEL_TRIES) return { failure: reason };
      onRetry(reason);
      await sys.wait(RETRY_MS * tries, request.signal);
    }
  }
}
