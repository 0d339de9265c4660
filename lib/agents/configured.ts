// Makes the invoker of an agent out of its settings: its command, or the first of its presets that gives
// an answer. Loaded only where an agent is run.

import type { AgentConfig } from "../config/config.ts";
import { ACP, EDITOR, HTTP, presetsOf } from "../config/runnable.ts";
import { isHost } from "../hosts/hosts.ts";
import { acpRunner } from "./acp/acp_runner.ts";
import type { AgentInvoker } from "./agent_call.ts";
import { editorRunner } from "./editor_runner.ts";
import { firstToAnswer } from "./fallback.ts";
import { httpRunner } from "./http/http_runner.ts";
import { commandInvoker } from "./invoke.ts";
import type { LanguageModel } from "./language_model.ts";
import { withModel } from "./models.ts";
import { type PresetRunner, presetRunner } from "./preset_runner.ts";
import type { AgentResults } from "./results.ts";
import type { OnRun } from "./trace.ts";
import { unlimited, whyNotHeld, type WorkLimits } from "./working_form.ts";

export interface ConfiguredOptions {
  /** Working folder: the tree of the caller. */
  cwd: string;
  /** The command that changes the settings, as messages name it: `config set --global agents.default`. */
  setBy: string;
  /** Keeps how each run ends. */
  results: AgentResults;
  /** Called with what failed without harm, one sentence each. */
  notify: (message: string) => void;
  /** Called with the trace of each run. */
  onRun?: OnRun;
  /** Its limits at work; absent, it answers and changes nothing. */
  work?: WorkLimits;
  /** The model of the calling program, for the preset `vscode`. */
  editorModel?: LanguageModel;
  /** Models to try, before that which the host or its settings choose. */
  models?: readonly string[];
}

/** The name of a run by command, among the names of presets. */
export const COMMAND = "command";

/** How an agent with these settings is run. */
export function configuredInvoker(
  settings: AgentConfig,
  options: ConfiguredOptions,
): AgentInvoker {
  const { command, acp, http, timeoutSeconds, passEnv, env, sandbox, network } = settings;
  const { results, notify, onRun = () => {}, work, editorModel, models = [] } = options;
  const refusal = work && whyUnlimited(settings);
  if (refusal) return (call) => Promise.reject(unlimited(call.agent, refusal));
  const run = {
    ...options,
    onRun,
    timeoutMs: timeoutSeconds * 1_000,
    passEnv,
    env,
    sandbox,
    network,
  };
  if (command !== null) return results.keeping(COMMAND, commandInvoker({ ...run, command }));
  const runnerOf = (name: string): PresetRunner => {
    if (name === EDITOR) return editorRunner(editorModel);
    if (name === HTTP) return httpRunner({ ...run, http, models });
    const runnerWith = (model: string | undefined) =>
      isHost(name) ? presetRunner(name, { ...run, model }) : acpRunner(acp, { ...run, model });
    return (call) =>
      withModel(
        call.agent,
        [...models, undefined],
        async (model) => ({ ...await runnerWith(model)(call), model }),
        notify,
      );
  };
  const runners = presetsOf(settings)
    .map((name) => ({ name, run: results.keeping(name, runnerOf(name)) }));
  return firstToAnswer(runners, notify);
}

/** Why an agent is not run for work, whatever its presets can. */
export function whyUnlimited(settings: AgentConfig): string | undefined {
  const { command, sandbox } = settings;
  if (command !== null && sandbox !== "workspace") {
    return `only a sandbox limits ${command[0]}: set its "sandbox" to "workspace"`;
  }
  if (command !== null) return undefined;
  const presets = presetsOf(settings);
  if (presets.includes(ACP)) {
    if (sandbox === "workspace") return undefined;
    return `only a sandbox limits an agent of the preset acp: set its "sandbox" to "workspace"`;
  }
  if (presets.includes(HTTP)) return "a model behind HTTP has no tools";
  return presets.includes(EDITOR) ? "a model of an editor has no tools" : whyNotHeld(presets);
}
