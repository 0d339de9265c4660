// Runs a coding agent by its preset.

import type { AgentCall, AgentReply } from "./agent_call.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { READERS } from "./host_reply.ts";
import { program } from "../sys/program.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";
import { unlimited, workingForm, type WorkLimits } from "./working_form.ts";

/** Where and how long a preset is run, and with which variables. */
export interface PresetRun extends
  Pick<
    ProgramRun,
    "cwd" | "timeoutMs" | "passEnv" | "env" | "setBy" | "notify" | "onRun" | "sandbox" | "network"
  > {
  /** Its limits at work; absent, it answers and changes nothing. */
  work?: WorkLimits;
  /** Left out, the host chooses. */
  model?: string;
}

export type PresetRunner = (call: AgentCall) => Promise<AgentReply>;

/** The events hold each file that the agent has read. */
const MAX_OUTPUT_BYTES = 64_000_000;

/** A runner that resumes the session of the answer before, where that was its own. */
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
    // One that is gone, or another user's, does not even begin.
    const isGone = session !== undefined && failure !== undefined && reply.session === undefined;
    if (isGone) ({ reply, failure } = await start(call));
    if (failure !== undefined) throw failure;
    const { text, tokens, session: own = null } = reply;
    return { text, tokens, runner: name, session: own };
  };
}
