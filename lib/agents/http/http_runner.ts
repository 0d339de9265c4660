/**
 * Asking a model over HTTP for an answer, without a program: one question. The model has no tools and
 * sees no file.
 *
 * @module
 */

import { HTTP } from "../../config/runnable.ts";
import type { Runner } from "../preset_runner.ts";
import { askEndpoint, type EndpointOptions } from "./endpoint.ts";

/**
 * @param options which endpoint is asked, and how long that may take
 * @returns a runner of it
 */
export function httpRunner(options: Omit<EndpointOptions, "agent">): Runner {
  return async ({ agent, prompt, signal }) => {
    const messages = [{ role: "user", text: prompt }] as const;
    const request = { system: "", messages, tools: [], signal };
    const { text } = await askEndpoint(request, { ...options, agent });
    return { text, runner: HTTP, session: null };
  };
}
