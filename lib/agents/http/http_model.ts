// A model behind HTTP that may use tools.

import type { LanguageModel } from "../language_model.ts";
import { askEndpoint, type EndpointOptions } from "./endpoint.ts";

export type HttpModelOptions = Omit<EndpointOptions, "onRun">;

/** Makes a model of an endpoint that speaks one of the two interfaces. */
export function httpModel(options: HttpModelOptions): LanguageModel {
  const endpoint = { ...options, onRun: () => {} };
  return {
    name: options.http?.model ?? "",
    respond: async (request) => await askEndpoint(request, endpoint),
  };
}
