/**
 * Running the program of an agent once, and telling its answer from a failure.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { type AgentxError, hasCode } from "../errors.ts";
import { type RunResult, sys } from "../sys/mod.ts";
import type { AgentCall } from "./agent_call.ts";
import { checkDepth } from "./depth.ts";
import { type AgentEnvironment, environmentOf, withheldCredentials } from "./environment.ts";
import { cut, failedRun, firstLine, interrupted, NO_NETWORK } from "./failed_run.ts";
import { explainFailure, type RunOutput, tailOf, whyFinal } from "./failure.ts";
import type { HostReply, ReadReply } from "./host_reply.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "./host_session.ts";
import { findLeftovers, RUN_VARIABLE } from "./leftovers.ts";
import type { OnRun } from "./trace.ts";

/** How a program is run. */
export interface ProgramRun extends AgentEnvironment {
  /** Working folder. */
  cwd: string;
  /** Time for the run, in milliseconds. */
  timeoutMs: number;
  /** Whether its settings are the user's own: messages say where to change them. */
  isGlobal: boolean;
  /** Hears, in one sentence each, of processes that the agent has left running. */
  notify: (message: string) => void;
  /** Hears what was sent, and what came back. */
  onRun: OnRun;
  /** Finds the answer in what it printed. */
  read: ReadReply;
  /** It is killed when it prints more. */
  maxOutputBytes: number;
  /**
   * Whether it prints more than its answer: only what was found in that is shown.
   *
   * @default {false}
   */
  printsEvents?: boolean;
  /**
   * Set unless the caller has set them.
   *
   * @default {{}}
   */
  defaults?: Readonly<Record<string, string>>;
}

/** How a program ended. */
export interface ProgramEnd {
  /** What it printed. */
  reply: HostReply;
  /** Why that is not an answer; undefined where it is one. */
  failure?: AgentxError<"AGENT_ERROR">;
}

/**
 * @param call who is asked what
 * @param run how
 * @returns what came of it
 * @throws {AgentxError} `AGENT_ERROR` where it was not run; `INTERRUPTED` when the signal fired
 */
export async function runProgram(
  { agent, prompt, signal, run: name = crypto.randomUUID() }: AgentCall,
  run: ProgramRun,
): Promise<ProgramEnd> {
  const { command, cwd, timeoutMs, maxOutputBytes, notify } = run;
  const depth = checkDepth(agent);
  const id = `${sys.env(RUN_VARIABLE) ?? ""}/${name}`;
  const own = { [AGENT_VARIABLE]: agent, [DEPTH_VARIABLE]: `${depth + 1}` };
  const variables = { ...run.defaults, ...environmentOf(sys.envEntries(), run), ...own };
  const result = await sys.run(command, {
    cwd,
    env: { [RUN_VARIABLE]: id, ...variables },
    stdin: prompt,
    timeoutMs,
    maxOutputBytes,
    signal,
  }).catch((error) => {
    // A program that may not be run is the agent's failure, as one that is not there.
    if (!hasCode(error, "IO_ERROR")) throw error;
    throw failedRun(agent, firstLine(error.message), { final: whyFinal("missing"), cause: error });
  });
  for (const { pid, program } of await findLeftovers(id)) {
    notify(`${agent} has left ${program} running, as process ${pid}`);
  }
  const { outcome, exitCode, stdout, stderr } = result;
  run.onRun({
    sent: command,
    variables: Object.keys(variables).sort(),
    outcome: outcome === "exited" ? `exit code ${exitCode}` : outcome,
    stdout,
    stderr,
  });
  if (outcome === "aborted") throw signal?.reason ?? interrupted();
  if (outcome === "not-found") {
    throw failedRun(agent, `there is no program "${command[0]}"`, { final: whyFinal("missing") });
  }
  const reply = run.read(result);
  return { reply, failure: failureOf(agent, result, reply, run) };
}

/** The program ran, and may have lacked a key. */
function failureOf(
  agent: string,
  result: RunResult,
  reply: HostReply,
  run: ProgramRun,
): AgentxError<"AGENT_ERROR"> | undefined {
  const { outcome, exitCode, unkilled } = result;
  const { told, kept } = whatToShow(result, reply, run);
  const tails = { stdout: tailOf(kept.stdout), stderr: tailOf(kept.stderr) };
  const failed = (reason: string, final?: string) =>
    failedRun(agent, reason + withheldNote(agent, run), { ...tails, final });
  const goesOn = unkilled === null ? "" : `, and process ${unkilled} could not be killed`;
  if (outcome === "output-limit") {
    const size = run.maxOutputBytes / 1_000_000;
    const limit = size === 1 ? "a megabyte" : `${size} megabytes`;
    return failedRun(agent, `it printed more than ${limit}${goesOn}`, tails);
  }
  const { kind, complaint: said } = explainFailure(told);
  const offline = kind === "network" ? NO_NETWORK : "";
  if (outcome === "timeout") {
    const setting = `agents.${roleOf(agent)}.timeoutSeconds`;
    return failed(`no reply within ${run.timeoutMs / 1000} s (${setting})${goesOn}${offline}`);
  }
  if (exitCode !== 0) {
    return failed(`exit code ${exitCode}${said && `: ${cut(said)}`}${offline}`, whyFinal(kind));
  }
  const { complaint, isCut, text } = reply;
  if (complaint !== undefined) {
    const { kind } = explainFailure({ stdout: complaint, stderr: "" });
    return failed(`it reported an error: ${firstLine(complaint)}`, whyFinal(kind));
  }
  if (isCut) return failed("its output ended before its answer was complete");
  return text === "" ? failed("it printed nothing") : undefined;
}

/** Of events, what was found in them: the rest holds whatever the agent has read. */
function whatToShow(
  { stdout, stderr }: RunOutput,
  { text, complaint }: HostReply,
  { printsEvents = false }: ProgramRun,
): { told: RunOutput; kept: RunOutput } {
  if (!printsEvents) return { told: { stdout, stderr }, kept: { stdout, stderr } };
  const told = complaint === undefined ? { stdout: "", stderr } : { stdout: complaint, stderr: "" };
  return { told, kept: { ...told, stdout: `${text}\n${told.stdout}` } };
}

/** Names, never values, and the command that passes them on. */
function withheldNote(agent: string, { isGlobal, ...settings }: ProgramRun): string {
  const names = withheldCredentials(sys.envEntries(), settings);
  if (names.length === 0) return "";
  const config = isGlobal ? "config --global" : "config";
  const value = JSON.stringify([...settings.passEnv, ...names]);
  return `; it was not given ${names.join(", ")}: if it needs them, run ` +
    `agentx ${config} set agents.${roleOf(agent)}.passEnv '${value}'`;
}
