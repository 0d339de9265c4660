// One call of an agent of any kind: the hub's `runSubagent` (SPEC-1 section 2.1).

import type { RunFiles } from "./run_files.ts";

/** One call of an agent. */
export interface AgentCall {
  /** The agent, with or without a worker. */
  agent: string;
  /** The prompt, which a program gets on standard input. */
  prompt: string;
  /** Stops the call. */
  signal?: AbortSignal;
  /** The agent and session of the earlier answer; the session is resumed if possible. */
  before?: AnsweredBy;
  /**
   * The files that keep the run until its reply is taken. Without them, the run ends with this process.
   *
   * @internal
   */
  files?: RunFiles;
  /** The folder where the agent works, if it has a separate tree. */
  cwd?: string;
  /** Id of the run, which other processes use to find its child processes. */
  run?: string;
  /** Called with the number of tokens read and written so far, if the program reports it. */
  report?: (tokens: number) => void;
}

/** The agent behind an answer. */
export interface AnsweredBy {
  /** The name of the preset that gave the answer. */
  runner: string;
  /** The id to resume the session; null if it cannot be resumed. */
  session: string | null;
  /** The model of the role that answered; absent if the host chose the model. */
  model?: string;
}

/** An answer, and the agent that gave it. */
export interface AgentReply extends AnsweredBy {
  /** The text of the answer, never empty. */
  text: string;
  /** Number of tokens read and written; absent if the agent does not report it. */
  tokens?: number;
}

/**
 * Runs an agent and returns its reply, never empty.
 *
 * @throws {AgentxError} `AGENT_ERROR`; `INTERRUPTED` when the signal fired
 */
export type AgentInvoker = (call: AgentCall) => Promise<string | AgentReply>;
