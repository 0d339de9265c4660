// Asks a model over HTTP one question, without a program. The model has no tools and sees no file.

import { HTTP } from "../../config/runnable.ts";
import type { PresetRunner } from "../preset_runner.ts";
import { httpModel, type HttpModelOptions } from "./http_model.ts";

export function httpRunner(options: Omit<HttpModelOptions, "agent">): PresetRunner {
  return async ({ agent, prompt, signal }) => {
    const messages = [{ role: "user", text: prompt }] as const;
    const request = { system: "", messages, tools: [], signal };
    const { text } = await httpModel({ ...options, agent }).respond(request);
    return { text, runner: HTTP, session: null };
  };
}
