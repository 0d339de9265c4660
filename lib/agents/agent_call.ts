// One call of an agent of any kind: the hub's `runSubagent` (SPEC-1 section 2.1).

import type { RunFiles } from "./run_files.ts";

/** One call of an agent. */
export interface AgentCall {
  /** The agent, with or without a worker. */
  agent: string;
  /** Goes to its standard input. */
  prompt: string;
  /** Ends the call. */
  signal?: AbortSignal;
  /** The agent and session of the earlier answer; the session is resumed if possible. */
  before?: AnsweredBy;
  /**
   * Where the run is kept until its reply is taken; left out, it ends with this process.
   *
   * @internal
   */
  files?: RunFiles;
  /** Where it works, if that is a tree of its own. */
  cwd?: string;
  /** Id of the run, by which other processes find its child processes. */
  run?: string;
  /** Hears how many tokens it has read and written by now, where its program says so. */
  report?: (tokens: number) => void;
}

/** The agent behind an answer. */
export interface AnsweredBy {
  /** The preset that ran. */
  runner: string;
  /** Resumes its session; null where that is not possible. */
  session: string | null;
  /** The model of the role that answered; left out where the host chose it. */
  model?: string;
}

/** An answer, and who gave it. */
export interface AgentReply extends AnsweredBy {
  /** Never empty. */
  text: string;
  /** Read and written; left out where it does not say. */
  tokens?: number;
}

/**
 * Runs an agent and returns its reply, never empty.
 *
 * @throws {AgentxError} `AGENT_ERROR`; `INTERRUPTED` when the signal fired
 */
export type AgentInvoker = (call: AgentCall) => Promise<string | AgentReply>;
