// The state of a workspace, without the parts that act on it. The path and the settings are known once it is open; each
// other part is made at the first call.

import type { AgentInvoker } from "../agents/agent_call.ts";
import type { LanguageModel } from "../agents/language_model.ts";
import type { AgentResults } from "../agents/results.ts";
import type { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import type { Runs } from "../clarify/runs/runs.ts";
import type { AgentStatusStore } from "../clarify/status/status.ts";
import type { Config } from "../config/config.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { LogFollower, LogFollowerOptions } from "../events/follower.ts";
import type { EventLog } from "../events/log.ts";
import type { OperationLog } from "../events/operations.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import type { MemoryPipeline } from "../memory/memory_pipeline.ts";
import type { Remote, SharedClaims } from "../remote/remote.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";

/** Options of {@linkcode openWorkspace}. */
export interface OpenWorkspaceOptions {
  /** Where to look for `.agentx/`, there and upward. */
  root?: string;
  /** Called with one sentence for each wait, and for what failed without harm. */
  notify?: (message: string) => void;
  /** How to run agents of the calling program, by role. They need neither a setting nor consent. */
  agents?: Readonly<Record<string, AgentInvoker>>;
  /** The model of the calling program, for agents of the preset `vscode`. */
  model?: LanguageModel;
  /** Receives the events of this process; all of them are logged as well. */
  events?: AgentEventBus;
  /** Pause before the second run of a target that failed, in milliseconds. */
  retryDelayMs?: number;
  /** Ends every wait for a lock when it fires. */
  signal?: AbortSignal;
}

/** The clarifications, what each agent is doing, the runs of questions, and what all parts share. */
export interface Records {
  /** The locks of this process: share them with files of your own. */
  readonly locks: FileLockManager;
  /** Receives what happens in this process; all of it is logged. */
  readonly events: AgentEventBus;
  /** The log that other processes follow. */
  readonly log: EventLog;
  /** The clarifications on disk. */
  readonly ledger: ClarificationLedger;
  /** The work of each agent. */
  readonly status: AgentStatusStore;
  /** Which process is running which open question. */
  readonly runs: Runs;
}

/** The parts of a workspace for its files on disk. */
export interface WorkspaceState {
  /** The folder that holds `.agentx/`; for a git worktree, that of the main checkout. */
  readonly root: string;
  /** The same folder in the caller's own tree: agents run and artifacts are read here. */
  readonly tree: string;
  /** The settings, with defaults. */
  readonly config: Config;
  /** The model of the calling program. */
  readonly model?: LanguageModel;
  /** Agents of the calling program, by role. */
  readonly agents: Readonly<Record<string, AgentInvoker>>;
  /** Pause before the second run of a target that failed, in milliseconds. */
  readonly retryDelayMs: number;
  /** Called with one sentence for each wait, and for what failed without harm. */
  readonly notify: (message: string) => void;
  /** The operations of commands, for undo. */
  readonly operations: OperationLog;
  /** The clarifications, their runs, and what all parts share. */
  records(): Records;
  /** The local issues; loaded at the first call. */
  issueStore(): Promise<IssueStore>;
  /** Follows what all processes write to the log. */
  followLog(options?: LogFollowerOptions): Promise<LogFollower>;
  /** The user's consent to what the repository would run. */
  trust(): Promise<RepositoryTrust>;
  /** How the last runs of agents ended. */
  results(): Promise<AgentResults>;
  /** The observations of agents in their sessions; loaded at the first call. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human, with the assumptions. */
  gate(): Promise<HumanGate>;
  /** This machine's part in a remote that its user agreed to; undefined for none. */
  remote(): Promise<Remote | undefined>;
  /** Claims that machines share, over that remote or through GitHub; undefined for none. */
  claims(): Promise<SharedClaims | undefined>;
}
