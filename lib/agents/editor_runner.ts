// Asks a model of the editor one question, if agentx runs in that editor. The model has no tools and sees no file.

import { EDITOR } from "../config/runnable.ts";
import { failedRun } from "./failed_run.ts";
import type { LanguageModel } from "./language_model.ts";
import type { PresetRunner } from "./preset_runner.ts";

/**
 * Makes a runner for the model of an editor. Without a model, each run fails, because agentx does not run in an editor.
 */
export function editorRunner(model: LanguageModel | undefined): PresetRunner {
  return async ({ agent, prompt, signal }) => {
    if (model === undefined) {
      throw failedRun(agent, "its model is that of VS Code, which is not open");
    }
    const messages = [{ role: "user", text: prompt }] as const;
    const { text } = await model.respond({ system: "", messages, tools: [], signal });
    return { text, runner: EDITOR, session: null };
  };
}
