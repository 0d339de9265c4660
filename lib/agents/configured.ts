// Makes the invoker of an agent from its settings: its command, or the first of its presets that gives an answer. This
// module is loaded only to run an agent.

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
  /** The working folder: the tree of the caller. */
  cwd: string;
  /** The command that changes the settings, for messages, such as `config set --global agents.default`. */
  setBy: string;
  /** Keeps the result of each run. */
  results: AgentResults;
  /** Called with one sentence for each harmless failure. */
  notify: (message: string) => void;
  /** Called with the trace of each run. */
  onRun?: OnRun;
  /** The agent's limits at work; without them, the agent only answers and changes nothing. */
  work?: WorkLimits;
  /** The model of the calling program, for the preset `vscode`. */
  editorModel?: LanguageModel;
  /** Models to try before the one that the host or its settings choose. */
  models?: readonly string[];
}

/** The name of a run by command, used like the name of a preset. */
export const COMMAND = "command";

/** Returns how to run an agent with these settings. */
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

/** Returns whether only the sandbox `workspace` could limit an agent at work, and its settings lack it. */
export function lacksSandbox(settings: AgentConfig): boolean {
  return settings.sandbox !== "workspace" && isHeldBySandbox(settings);
}

function isHeldBySandbox(settings: AgentConfig): boolean {
  return settings.command !== null || presetsOf(settings).includes(ACP);
}

/** Returns why an agent with these settings is never run for work; undefined if it may be. */
export function whyUnlimited(settings: AgentConfig): string | undefined {
  if (lacksSandbox(settings)) {
    const who = settings.command?.[0] ?? "an agent of the preset acp";
    return `only a sandbox limits ${who}: set its "sandbox" to "workspace"`;
  }
  if (isHeldBySandbox(settings)) return undefined;
  const presets = presetsOf(settings);
  if (presets.includes(HTTP)) return "a model behind HTTP has no tools";
  return presets.includes(EDITOR) ? "a model of an editor has no tools" : whyNotHeld(presets);
}
