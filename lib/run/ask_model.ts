// One turn of a model, patiently: a turn that broke off has done nothing, and is asked for again.

import type { LanguageModel, ModelRequest, ModelTurn } from "../agents/language_model.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

/** How often a model is asked for one turn. */
const MODEL_TRIES = 3;

/** The wait before the model is asked again, in milliseconds; longer each time. */
const RETRY_MS = 1_000;

export type AskedModel = { turn: ModelTurn } | { failure: string };

/**
 * Asks a model for its turn; where it failed for good, or several times, the result says why.
 * `onRetry` is called with the reason for asking again. Throws `INTERRUPTED` when the signal fired.
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
