// A model behind HTTP that may use tools: the first of those that are named which the endpoint has.

import type { LanguageModel } from "../language_model.ts";
import { withModel } from "../models.ts";
import { askEndpoint, type EndpointOptions } from "./endpoint.ts";

export interface HttpModelOptions extends Omit<EndpointOptions, "onRun"> {
  /** Models to try before that of the settings. */
  models?: readonly string[];
  /** Called with what failed without harm, one sentence each. */
  notify?: (message: string) => void;
  /** Called with the request and the reply. */
  onRun?: EndpointOptions["onRun"];
}

/** Makes a model of an endpoint that speaks one of the two interfaces. */
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
