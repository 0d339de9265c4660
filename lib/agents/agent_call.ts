/**
 * One call of an agent, whoever runs it: the hub's `runSubagent` (SPEC-1 section 2.1).
 *
 * @module
 */

import type { RunFiles } from "./run_files.ts";

/** One call of an agent. */
export interface AgentCall {
  /** The agent, with or without a worker. */
  agent: string;
  /** Goes to its standard input. */
  prompt: string;
  /** Ends the call. */
  signal?: AbortSignal;
  /** Of whom and where it was answered before, where that is known: what can, goes on there. */
  before?: AnsweredBy;
  /**
   * Where the run is kept until its reply is taken; left out, it ends with this process.
   *
   * @internal
   */
  files?: RunFiles;
  /** Letters and digits by which other processes find what it has started; left out, nobody looks for it. */
  run?: string;
}

/** Who gave an answer. */
export interface AnsweredBy {
  /** The preset that ran. */
  runner: string;
  /** With which its session can be gone on with; null where that cannot be. */
  session: string | null;
}

/** An answer, and who gave it. */
export interface AgentReply extends AnsweredBy {
  /** Never empty. */
  text: string;
}

/**
 * Runs an agent and returns its reply, never empty.
 *
 * @throws {AgentxError} `AGENT_ERROR`; `INTERRUPTED` when the signal fired
 */
export type AgentInvoker = (call: AgentCall) => Promise<string | AgentReply>;
