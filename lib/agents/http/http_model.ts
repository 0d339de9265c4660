// A language model behind an HTTP endpoint, with tools. It tries the named models in order and uses the first one that
// the endpoint has.

import type { LanguageModel } from "../language_model.ts";
import { withModel } from "../models.ts";
import { askEndpoint, type EndpointOptions } from "./endpoint.ts";

export interface HttpModelOptions extends Omit<EndpointOptions, "onRun"> {
  /** Models to try before the one in the settings. */
  models?: readonly string[];
  /** Called with one sentence for each harmless failure. */
  notify?: (message: string) => void;
  /** Called with the request and the reply. */
  onRun?: EndpointOptions["onRun"];
}

/** Makes a model for an endpoint that speaks one of the two interfaces in `MODEL_APIS`. */
export function httpModel(options: HttpModelOptions): LanguageModel {
  const { agent, http, models = [], notify = () => {}, onRun = () => {} } = options;
  const own = http?.model ?? undefined;
  const left = own === undefined && models.length > 0
    ? [...models]
    : [...new Set([...models, own])];
  return {
    name: left[0] ?? "",
    respond: async (request) =>
      await withModel(agent, left, async (model) => {
        const endpoint = { ...options, http: http && { ...http, model: model ?? null }, onRun };
        return await askEndpoint(request, endpoint);
      }, notify),
  };
}
