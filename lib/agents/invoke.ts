/**
 * Running an agent once: the hub's `runSubagent` (SPEC-1 section 2.1), for any program that reads a
 * prompt on standard input and prints its reply.
 *
 * No shell is involved. The program gets its own process group, which is killed as a whole when its
 * time is over, and of the environment only what it needs (`environment.ts`).
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { AgentxError, hasCode } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { type AgentEnvironment, environmentOf, withheldCredentials } from "./environment.ts";
import { explainFailure, tailOf, whyFinal } from "./failure.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "./host_session.ts";
import { findLeftovers, RUN_VARIABLE } from "./leftovers.ts";

/** One call of an agent. */
export interface AgentCall {
  /** The agent, with or without a worker. */
  agent: string;
  /** Goes to its standard input. */
  prompt: string;
  /** Ends the call. */
  signal?: AbortSignal;
}

/**
 * Runs an agent and returns its reply, never empty.
 *
 * @throws {AgentxError} `AGENT_ERROR`; `INTERRUPTED` when the signal fired
 */
export type AgentInvoker = (call: AgentCall) => Promise<string>;

/** Options of {@linkcode commandInvoker}. */
export interface CommandInvokerOptions {
  /** Program and arguments. */
  command: readonly string[];
  /** Working folder: the tree of the caller. */
  cwd: string;
  /**
   * Time for one run, in milliseconds, 24 days at most.
   *
   * @default {300_000}
   */
  timeoutMs?: number;
  /**
   * Names of variables that are passed on besides those of its own vendor.
   *
   * @default {[]}
   */
  passEnv?: readonly string[];
  /**
   * Variables that are set for it.
   *
   * @default {{}}
   */
  env?: Readonly<Record<string, string>>;
  /**
   * Whether its settings are the user's own, for all repositories: messages say where to change them.
   *
   * @default {false}
   */
  isGlobal?: boolean;
  /**
   * Receives a sentence for each process that the agent has left running.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** The longest chain of agents that invoke each other; a longer one counts as a loop. */
const MAX_DEPTH = 4;

/** A timer with a longer delay fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const MAX_OUTPUT_BYTES = 1_000_000;

const NO_NETWORK = "; if this session has no network, start agentx serve in the main checkout, " +
  "outside its sandbox";

/** Longest part of a failure's reason that comes from the program, in characters. */
const MAX_REASON = 200;

/**
 * Makes an invoker that runs a command: prompt on standard input, reply on standard output.
 *
 * @param options the command, where it runs, how long, and with which variables
 * @returns the invoker
 * @throws {RangeError} if `timeoutMs` is not above 0, or is more than 24 days
 */
export function commandInvoker(options: CommandInvokerOptions): AgentInvoker {
  const { command, cwd, timeoutMs = 300_000, passEnv = [], env = {} } = options;
  const { isGlobal = false, notify = () => {} } = options;
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    throw new RangeError(
      `Cannot wait "${timeoutMs}" ms for an agent: it must be above 0 and at most ${MAX_TIMER_MS}`,
    );
  }
  return async ({ agent, prompt, signal }) => {
    const depth = Number(sys.env(DEPTH_VARIABLE) ?? 0);
    if (depth >= MAX_DEPTH) {
      throw failure(agent, `agents have invoked each other ${depth} deep`);
    }
    const variables = sys.envEntries();
    const settings = { command, passEnv, env };
    const run = `${sys.env(RUN_VARIABLE) ?? ""}/${crypto.randomUUID()}`;
    const own = { [AGENT_VARIABLE]: agent, [DEPTH_VARIABLE]: `${depth + 1}` };
    const result = await sys.run(command, {
      cwd,
      env: { [RUN_VARIABLE]: run, ...environmentOf(variables, settings), ...own },
      stdin: prompt,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    }).catch((error) => {
      // A program that may not be run is a failure of the agent, just as a missing one.
      if (!hasCode(error, "IO_ERROR")) throw error;
      throw failure(agent, firstLine(error.message), { final: whyFinal("missing"), cause: error });
    });
    for (const { pid, program } of await findLeftovers(run)) {
      notify(`${agent} has left ${program} running, as process ${pid}`);
    }
    const { outcome, exitCode, stdout, stderr, unkilled } = result;
    const goesOn = unkilled === null ? "" : `, and process ${unkilled} could not be killed`;
    if (outcome === "aborted") throw signal?.reason ?? interrupted();
    if (outcome === "not-found") {
      throw failure(agent, `there is no program "${command[0]}"`, { final: whyFinal("missing") });
    }
    const tails = { stdout: tailOf(stdout), stderr: tailOf(stderr) };
    if (outcome === "output-limit") {
      throw failure(agent, `it printed more than a megabyte${goesOn}`, tails);
    }
    /** The program ran, but a key may have been missing. */
    const failed = (reason: string, final?: string) => {
      const withheld = withheldNote(agent, { variables, settings, isGlobal });
      return failure(agent, reason + withheld, { ...tails, final });
    };
    const { kind, complaint: said } = explainFailure(result);
    const offline = kind === "network" ? NO_NETWORK : "";
    if (outcome === "timeout") {
      const setting = `agents.${roleOf(agent)}.timeoutSeconds`;
      throw failed(`no reply within ${timeoutMs / 1000} s (${setting})${goesOn}${offline}`);
    }
    if (exitCode !== 0) {
      const reason = `exit code ${exitCode}${said && `: ${cut(said)}`}`;
      throw failed(reason + offline, whyFinal(kind));
    }
    const { text, complaint } = readReply(stdout);
    if (complaint !== undefined) {
      const { kind } = explainFailure({ stdout: complaint, stderr: "" });
      throw failed(`it reported an error: ${complaint}`, whyFinal(kind));
    }
    const reply = text.trim();
    if (reply === "") throw failed("it printed nothing");
    return reply;
  };
}

/** Hosts that print a JSON envelope put the reply, or their failure, into it. */
function readReply(stdout: string): { text: string; complaint?: string } {
  if (!stdout.trimStart().startsWith("{")) return { text: stdout };
  let envelope: unknown;
  try {
    envelope = JSON.parse(stdout);
  } catch {
    return { text: stdout }; // a reply that happens to begin with a brace
  }
  const { result, is_error: isError } = envelope as { result?: unknown; is_error?: unknown };
  if (isError === true) {
    const complaint = typeof result === "string"
      ? result
      : JSON.stringify(result) ?? "no reason given";
    return { text: "", complaint: firstLine(complaint) };
  }
  return { text: typeof result === "string" ? result : stdout };
}

/** The names of missing variables, never values, and the command that passes them on. */
function withheldNote(
  agent: string,
  { variables, settings, isGlobal }: {
    variables: Array<[string, string]>;
    settings: AgentEnvironment;
    isGlobal: boolean;
  },
): string {
  const names = withheldCredentials(variables, settings);
  if (names.length === 0) return "";
  const config = isGlobal ? "config --global" : "config";
  const value = JSON.stringify([...settings.passEnv, ...names]);
  return `; it was not given ${names.join(", ")}: if it needs them, run ` +
    `agentx ${config} set agents.${roleOf(agent)}.passEnv '${value}'`;
}

/** The reason goes into records and messages: one line of the output is enough. */
function firstLine(text: string): string {
  return cut(text.trim().split("\n", 1)[0]);
}

function cut(line: string): string {
  return line.slice(0, MAX_REASON).toWellFormed();
}

function failure(
  agent: string,
  reason: string,
  { cause, ...more }: { final?: string; stdout?: string; stderr?: string; cause?: unknown } = {},
): AgentxError<"AGENT_ERROR"> {
  return new AgentxError("AGENT_ERROR", `Cannot get an answer from ${agent}: ${reason}`, {
    details: { agent, reason, ...more },
    next: `Check the command of "${agent}" with: agentx config get agents.${roleOf(agent)}`,
    cause,
  });
}

function interrupted(): AgentxError<"INTERRUPTED"> {
  return new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } });
}
