// Runs an agent once: the hub's `runSubagent` (SPEC-1 section 2.1), for any program that reads a prompt on standard
// input and prints its reply.
//
// No shell interprets the command. The program gets its own process group, which is killed as a whole when the time is
// over, and only the variables that it needs (`environment.ts`).

import { objectOf, tryParseJson } from "../base/checks.ts";
import type { AgentCall } from "./agent_call.ts";
import type { RunOutput } from "./failure.ts";
import type { HostReply } from "./host_reply.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";

const MAX_OUTPUT_BYTES = 1_000_000;

const DEFAULTS = {
  timeoutMs: 300_000,
  passEnv: [],
  env: {},
  notify: () => {},
  onRun: () => {},
  read: readEnvelope,
  maxOutputBytes: MAX_OUTPUT_BYTES,
};

/** Makes an invoker that runs a command: prompt on standard input, reply on standard output. */
export function commandInvoker(
  options: Pick<ProgramRun, "command" | "cwd"> & Partial<ProgramRun>,
): (call: AgentCall) => Promise<string> {
  return async (call) => {
    const { reply, failure } = await runProgram(call, { ...DEFAULTS, ...options });
    if (failure !== undefined) throw failure;
    return reply.text;
  };
}

/** Reads the output of a program. Some hosts print a JSON envelope with the reply or the failure. */
function readEnvelope({ stdout }: RunOutput): HostReply {
  if (!stdout.trimStart().startsWith("{")) return { text: stdout.trim() };
  const { result, is_error: isError } = objectOf(tryParseJson(stdout));
  const said = typeof result === "string" ? result : JSON.stringify(result) ?? "no reason given";
  if (isError === true) return { text: "", complaint: said };
  return { text: (typeof result === "string" ? result : stdout).trim() };
}
