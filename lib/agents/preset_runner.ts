// Runs a coding agent by its preset.

import type { AgentCall, AgentReply } from "./agent_call.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { READERS } from "./host_reply.ts";
import { program } from "../sys/program.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";
import { unlimited, workingForm, type WorkLimits } from "./working_form.ts";

/** The folder, time limit and variables for runs of a preset. */
export interface PresetRun extends
  Pick<
    ProgramRun,
    "cwd" | "timeoutMs" | "passEnv" | "env" | "setBy" | "notify" | "onRun" | "sandbox" | "network"
  > {
  /** The agent's limits at work; without them, the agent only answers and changes nothing. */
  work?: WorkLimits;
  /** The model to use; by default the host chooses. */
  model?: string;
}

export type PresetRunner = (call: AgentCall) => Promise<AgentReply>;

/** Limit of output; it is high because the events contain each file that the agent has read. */
const MAX_OUTPUT_BYTES = 64_000_000;

/** Makes a runner that resumes the session of the earlier answer, if the same preset gave it. */
export function presetRunner(name: HostName, run: PresetRun): PresetRunner {
  const { words, env: defaults } = HOSTS[name].preset!;
  const output = {
    read: READERS[name]!,
    defaults,
    printsEvents: true,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  };
  const { model } = run;
  const start = async (call: AgentCall, session?: string) => {
    if (run.work === undefined) {
      return await runProgram(call, {
        ...run,
        ...output,
        command: [name, ...words({ session, model })],
      });
    }
    const chosen = { session, model };
    const form = await workingForm(name, {
      ...run.work,
      ...chosen,
      agentx: program.commandLine,
    });
    if (typeof form === "string") throw unlimited(call.agent, form);
    const sandbox = run.sandbox ?? (HOSTS[name].ownSandbox ? "workspace" : null);
    return await runProgram(call, { ...run, ...output, command: form, sandbox });
  };
  return async (call) => {
    const { before } = call;
    const session = before?.runner === name ? before.session ?? undefined : undefined;
    let { reply, failure } = await start(call, session);
    // A session that is gone, or belongs to another user, does not even begin.
    const isGone = session !== undefined && failure !== undefined && reply.session === undefined;
    if (isGone) ({ reply, failure } = await start(call));
    if (failure !== undefined) throw failure;
    const { text, tokens, session: own = null } = reply;
    return { text, tokens, runner: name, session: own };
  };
}
