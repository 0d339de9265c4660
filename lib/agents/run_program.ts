// Runs the program of an agent once, and distinguishes its answer from a failure.

import { roleOf } from "../base/agent_names.ts";
import { findProgram } from "../sys/find_program.ts";
import type { AgentxError } from "../base/errors.ts";
import { type Confined, unconfined } from "../sandbox/confine.ts";
import type { Sandbox } from "../sandbox/walls.ts";
import { type RunResult, sys } from "../sys/mod.ts";
import type { AgentCall } from "./agent_call.ts";
import { checkDepth } from "./depth.ts";
import { type AgentEnvironment, environmentOf, withheldCredentials } from "./environment.ts";
import { cut, failedRun, firstLine, interrupted, NO_NETWORK } from "./failed_run.ts";
import { explainFailure, type RunOutput, tailOf, whyFinal } from "./failure.ts";
import type { HostReply, ReadReply } from "./host_reply.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "../who/host_session.ts";
import { findLeftovers, RUN_VARIABLE } from "./leftovers.ts";
import { RunFiles } from "./run_files.ts";
import { sandboxed } from "./sandbox.ts";
import type { OnRun } from "./trace.ts";
import type { WorkLimits } from "./working_form.ts";

/** Interval to check whether a program prints too much. */
const LOOK_MS = 50;

/** Interval to check how many tokens a program has used. */
const REPORT_MS = 500;

export interface ProgramRun extends AgentEnvironment {
  cwd: string;
  /** Time limit for the run, in milliseconds. */
  timeoutMs: number;
  /** The command that changes the settings of the agent, for messages, such as `config set --global agents.default`. */
  setBy?: string;
  /** Called with processes that the agent left running, one sentence each. */
  notify: (message: string) => void;
  /** Called with the request and the reply. */
  onRun: OnRun;
  /**
   * Makes the command line that talks to the agent from the confined command of the agent; by default that command
   * itself is run.
   */
  through?: (command: readonly string[]) => readonly string[];
  /** Finds the answer in the output. */
  read: ReadReply;
  /** Limit of output; a program that prints more is killed. */
  maxOutputBytes: number;
  /** Whether the program prints more than its answer. Messages then show only the answer. */
  printsEvents?: boolean;
  /** Variables to set unless the caller has set them. */
  defaults?: Readonly<Record<string, string>>;
  /** The write access of the agent; everything by default. */
  sandbox?: Sandbox | null;
  /** Whether the agent has access to the network from its sandbox. */
  network?: boolean;
  /** The agent's limits at work. */
  work?: WorkLimits;
}

export interface ProgramEnd {
  reply: HostReply;
  /** Why the reply is not an answer; undefined if it is one. */
  failure?: AgentxError<"AGENT_ERROR">;
}

/**
 * Runs the program of an agent. Throws `AGENT_ERROR` if it was not run; `INTERRUPTED` if the signal aborted;
 * `IO_ERROR`.
 */
export async function runProgram(call: AgentCall, run: ProgramRun): Promise<ProgramEnd> {
  const { agent, signal } = call;
  const { command, maxOutputBytes } = run;
  const files = call.files ?? RunFiles.temporary();
  try {
    const result = files.takeResult(command[0], maxOutputBytes) ??
      await start(call, run, files);
    if (result.outcome === "aborted") throw signal?.reason ?? interrupted();
    const reply = run.read(result);
    return { reply, failure: failureOf(agent, result, reply, run) };
  } finally {
    if (call.files === undefined) files.remove();
  }
}

async function start(
  { agent, prompt, signal, report, run: name = crypto.randomUUID() }: AgentCall,
  run: ProgramRun,
  files: RunFiles,
): Promise<RunResult> {
  const { command, cwd, timeoutMs, maxOutputBytes, notify, through = (words) => words } = run;
  const [program] = command;
  const depth = checkDepth(agent);
  const id = `${sys.env(RUN_VARIABLE) ?? ""}/${name}`;
  const own = { [AGENT_VARIABLE]: agent, [DEPTH_VARIABLE]: `${depth + 1}` };
  const variables: Record<string, string> = {
    ...run.defaults,
    ...environmentOf(sys.envEntries(), run),
    ...own,
  };
  const path = variables.PATH ?? "";
  const confined = await confinedBy(run, agent, path);
  const reporting = report && (() => {
    const now = files.withOutput(
      { outcome: "exited", exitCode: null, unkilled: null },
      maxOutputBytes,
    );
    const { tokens } = run.read(now);
    if (tokens !== undefined) report(tokens);
  });
  const result = findProgram(program, { tree: cwd, path }) === undefined
    ? NOT_FOUND
    : await underWatch(
      files,
      { maxBytes: maxOutputBytes, signal, reporting },
      async (signal) =>
        await sys.run(files.begin(through(confined.command), prompt), {
          cwd,
          env: { [RUN_VARIABLE]: id, ...variables },
          stdin: "go\n",
          timeoutMs,
          maxOutputBytes,
          signal,
          onStart: (pid) => files.noteStart(pid, { program, timeoutMs }),
        }),
    );
  const { outcome, exitCode, stdout, stderr } = result;
  for (const { pid, program } of await findLeftovers(id)) {
    notify(`${agent} has left ${program} running, as process ${pid}`);
  }
  run.onRun({
    sent: command,
    variables: Object.keys(variables).sort(),
    outcome: outcome === "exited" ? `exit code ${exitCode}` : outcome,
    stdout,
    stderr,
  });
  if (outcome === "not-found") {
    const reason = `there is no program "${program}" that can be run`;
    throw failedRun(agent, reason, { final: whyFinal("missing") });
  }
  if (exitCode === 0 && !files.isComplete) {
    throw failedRun(agent, "its reply could not be written; the disk may be full");
  }
  const { ofTree, ofHome } = confined.changed();
  for (const path of ofHome) notify(`${agent} has changed ${path}, which may start a program`);
  if (ofTree.length > 0) {
    const reason = `it has changed what may start a program: ${ofTree.join(", ")}`;
    throw failedRun(agent, reason, { final: "a person looks at that first" });
  }
  return result;
}

async function confinedBy(
  { command, through, sandbox, network: hasNetwork = true, cwd, work }: ProgramRun,
  agent: string,
  path: string,
): Promise<Confined> {
  if (!sandbox) return unconfined(command);
  const mayChange = work?.mayChange ?? undefined;
  const loadsCode = through !== undefined;
  const options = { sandbox, hasNetwork, cwd, path, mayChange, loadsCode };
  const confined = await sandboxed(command, options);
  if (typeof confined !== "string") return confined;
  const reason = `it runs in a sandbox only (agents.${roleOf(agent)}.sandbox): ${confined}`;
  throw failedRun(agent, reason, { final: "there is no sandbox" });
}

const NOT_FOUND: RunResult = {
  outcome: "not-found",
  exitCode: null,
  stdout: "",
  stderr: "",
  unkilled: null,
};

/** Runs a program, and stops it if its output in the files grows too long. */
async function underWatch(
  files: RunFiles,
  { maxBytes, signal, reporting = () => {} }: {
    maxBytes: number;
    signal?: AbortSignal;
    reporting?: () => void;
  },
  run: (signal: AbortSignal) => Promise<RunResult>,
): Promise<RunResult> {
  const limit = new AbortController();
  const stop = sys.every(LOOK_MS, () => files.isTooLong(maxBytes) && limit.abort());
  const stopReports = sys.every(REPORT_MS, reporting);
  try {
    const all = [limit.signal, ...signal === undefined ? [] : [signal]];
    const ended = await run(AbortSignal.any(all));
    const isTooLong = ended.outcome === "aborted" && limit.signal.aborted;
    return files.withOutput(isTooLong ? { ...ended, outcome: "output-limit" } : ended, maxBytes);
  } finally {
    stop();
    stopReports();
  }
}

/**
 * Returns the failure of a program that ran; undefined if it answered. The message names credentials that were
 * withheld.
 */
function failureOf(
  agent: string,
  result: RunResult,
  reply: HostReply,
  run: ProgramRun,
): AgentxError<"AGENT_ERROR"> | undefined {
  const { outcome, exitCode, unkilled } = result;
  const { shown, kept } = whatToShow(result, reply, run);
  const tails = { stdout: tailOf(kept.stdout), stderr: tailOf(kept.stderr) };
  const failed = (reason: string, final?: string) =>
    failedRun(agent, reason + withheldNote(agent, run), { ...tails, final });
  const ending = unkilled === null ? "" : `, and process ${unkilled} could not be killed`;
  if (outcome === "output-limit") {
    const size = run.maxOutputBytes / 1_000_000;
    const limit = size === 1 ? "a megabyte" : `${size} megabytes`;
    return failedRun(agent, `it printed more than ${limit}${ending}`, tails);
  }
  const { kind, complaint: said } = explainFailure(shown);
  const offline = kind === "network" ? NO_NETWORK : "";
  if (outcome === "timeout") {
    const setting = `agents.${roleOf(agent)}.timeoutSeconds`;
    return failed(`no reply within ${run.timeoutMs / 1000} s (${setting})${ending}${offline}`);
  }
  const [, unseen] = /^bwrap: execvp (.*): No such file/.exec(said) ?? [];
  if (unseen !== undefined) {
    const why = `its sandbox does not show ${unseen}: /tmp and folders with keys are empty in it`;
    return failedRun(agent, why, { ...tails, final: whyFinal("missing") });
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

/**
 * Returns the output to search and to keep. If the program prints events, only the answer or complaint counts, because
 * the rest contains everything that the agent has read.
 */
function whatToShow(
  { stdout, stderr }: RunOutput,
  { text, complaint }: HostReply,
  { printsEvents = false }: ProgramRun,
): { shown: RunOutput; kept: RunOutput } {
  if (!printsEvents) return { shown: { stdout, stderr }, kept: { stdout, stderr } };
  const shown = complaint === undefined
    ? { stdout: "", stderr }
    : { stdout: complaint, stderr: "" };
  return { shown, kept: { ...shown, stdout: `${text}\n${shown.stdout}` } };
}

/** Returns a note on withheld credentials: their names, never values, and the command that passes them on. */
function withheldNote(agent: string, { setBy, ...settings }: ProgramRun): string {
  const names = withheldCredentials(sys.envEntries(), settings);
  if (names.length === 0) return "";
  const value = JSON.stringify([...settings.passEnv, ...names]);
  return `; it was not given ${names.join(", ")}: if it needs them, run ` +
    `agentx ${setBy ?? `config set agents.${roleOf(agent)}`}.passEnv '${value}'`;
}
