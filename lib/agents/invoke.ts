// Runs an agent once: the hub's `runSubagent` (SPEC-1 section 2.1), for any program that reads a
// prompt on standard input and prints its reply.
//
// No shell is involved. The program gets its own process group, which is killed as a whole when its
// time is over, and of the environment only what it needs (`environment.ts`).

import { objectOf, tryParseJson } from "../base/checks.ts";
import type { AgentCall } from "./agent_call.ts";
import type { RunOutput } from "./failure.ts";
import type { HostReply } from "./host_reply.ts";
import { runProgram } from "./run_program.ts";
import type { Sandbox } from "./sandbox.ts";
import type { OnRun } from "./trace.ts";

export interface CommandInvokerOptions {
  /** Program and arguments. */
  command: readonly string[];
  /** Working folder: the tree of the caller. */
  cwd: string;
  /** Time for one run, in milliseconds, 24 days at most. */
  timeoutMs?: number;
  /** Names of variables that are passed on besides those of its own vendor. */
  passEnv?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What it may write; anything by default. */
  sandbox?: Sandbox | null;
  /** Whether it reaches the network from its sandbox. */
  network?: boolean;
  /** What changes its settings, as messages say it. */
  setBy?: string;
  /** Receives a sentence for each process that the agent has left running. */
  notify?: (message: string) => void;
  /** Hears what was sent, and what came back. */
  onRun?: OnRun;
}

/** A timer that is set for longer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const MAX_OUTPUT_BYTES = 1_000_000;

/**
 * Makes an invoker that runs a command: prompt on standard input, reply on standard output. Throws
 * if `timeoutMs` is not above 0, or is more than 24 days.
 */
export function commandInvoker(
  options: CommandInvokerOptions,
): (call: AgentCall) => Promise<string> {
  const { command, cwd, timeoutMs = 300_000, passEnv = [], env = {} } = options;
  const { setBy, notify = () => {}, onRun = () => {} } = options;
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    throw new RangeError(
      `Cannot wait "${timeoutMs}" ms for an agent: it must be above 0 and at most ${MAX_TIMER_MS}`,
    );
  }
  const { sandbox, network } = options;
  const run = { command, cwd, timeoutMs, passEnv, env, sandbox, network, setBy, notify, onRun };
  const output = { read: readEnvelope, maxOutputBytes: MAX_OUTPUT_BYTES };
  return async (call) => {
    const { reply, failure } = await runProgram(call, { ...run, ...output });
    if (failure !== undefined) throw failure;
    return reply.text;
  };
}

/** Hosts that print a JSON envelope put the reply, or their failure, into it. */
function readEnvelope({ stdout }: RunOutput): HostReply {
  if (!stdout.trimStart().startsWith("{")) return { text: stdout.trim() };
  const { result, is_error: isError } = objectOf(tryParseJson(stdout));
  const said = typeof result === "string" ? result : JSON.stringify(result) ?? "no reason given";
  if (isError === true) return { text: "", complaint: said };
  return { text: (typeof result === "string" ? result : stdout).trim() };
}
