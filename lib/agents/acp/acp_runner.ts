// Runs an agent that speaks the Agent Client Protocol. A separate process of agentx talks to the agent, outside of the
// agent's sandbox. That process is kept, limited and ended like the program of any other agent.

import { isListOfTexts, isObject, objectOf, stringOf, tryParseJson } from "../../base/checks.ts";
import { ACP } from "../../config/runnable.ts";
import type { Chosen } from "../../hosts/host.ts";
import { hostOfProgram, HOSTS } from "../../hosts/hosts.ts";
import { program } from "../../sys/program.ts";
import { programName } from "../environment.ts";
import { failedRun } from "../failed_run.ts";
import type { RunOutput } from "../failure.ts";
import type { HostReply } from "../host_reply.ts";
import type { PresetRun, PresetRunner } from "../preset_runner.ts";
import { runProgram } from "../run_program.ts";
import { readLimits, type WorkLimits } from "../working_form.ts";

/** The task, as JSON, of the process that talks to the agent. */
export interface AcpTask extends Chosen {
  agent: string;
  /** The host of the program; null for one that agentx does not know. */
  host: string | null;
  /** The program, inside its sandbox, and its arguments. */
  command: readonly string[];
  /** The agent's limits at work; without them, the agent only answers and changes nothing. */
  work?: WorkLimits;
}

const MAX_OUTPUT_BYTES = 1_000_000;

/** Makes a runner that continues the session of the previous answer, if this agent gave that answer. */
export function acpRunner(command: readonly string[] | null, run: PresetRun): PresetRunner {
  return async (call) => {
    const { agent, before } = call;
    if (command === null) {
      const final = "its program is not known";
      throw failedRun(agent, 'its preset "acp" needs the setting "acp", its command', { final });
    }
    const host = hostOfProgram(programName(command)) ?? null;
    const session = before?.runner === ACP ? before.session ?? undefined : undefined;
    const task = { agent, host, work: run.work, session, model: run.model };
    const { reply, failure } = await runProgram(call, {
      ...run,
      command,
      through: (command) => [
        ...program.commandLine,
        "__acp",
        JSON.stringify({ ...task, command } satisfies AcpTask),
      ],
      defaults: host === null ? undefined : HOSTS[host].acp?.env,
      read: readAcp,
      printsEvents: true,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    if (failure !== undefined) throw failure;
    return { text: reply.text, tokens: reply.tokens, runner: ACP, session: reply.session ?? null };
  };
}

/** Reads the output of `agentx __acp`. */
function readAcp({ stdout }: RunOutput): HostReply {
  const printed = tryParseJson(stdout);
  if (!isObject(printed)) return { text: "", isCut: true };
  const { text, complaint, session, tokens } = printed;
  return {
    text: stringOf(text) ?? "",
    complaint: stringOf(complaint),
    session: stringOf(session),
    tokens: typeof tokens === "number" ? tokens : undefined,
  };
}

/** Reads a task. Throws a `TypeError` if the text is not a task. */
export function readAcpTask(text: string): AcpTask {
  const { agent, host, command, work, session, model } = objectOf(tryParseJson(text));
  if (typeof agent !== "string" || !isListOfTexts(command) || command.length === 0) {
    throw new TypeError(`This is no task of an agent: ${text}`);
  }
  const limits = work === undefined ? undefined : readLimits(JSON.stringify(work));
  const chosen = { session: stringOf(session), model: stringOf(model) };
  return { agent, host: stringOf(host) ?? null, command, work: limits, ...chosen };
}
