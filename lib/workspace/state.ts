// The state of a workspace, without the parts that act on it. Path and settings are available at once; each other
// part is opened at the first call.

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
  /** The folder to look for `.agentx/` in, and in the folders above; by default the current folder. */
  root?: string;
  /** Called with a message for each wait, and for each harmless failure. */
  notify?: (message: string) => void;
  /** Agents of the calling program, by role. They need neither a setting nor consent. */
  agents?: Readonly<Record<string, AgentInvoker>>;
  /** The language model of the calling program, for agents with the preset `vscode`. */
  model?: LanguageModel;
  /** Receives the events of this process. All events are logged as well. */
  events?: AgentEventBus;
  /** Pause before the second run of a target, if its first run failed, in milliseconds. */
  retryDelayMs?: number;
  /** Aborts every wait for a lock. */
  signal?: AbortSignal;
}

/** The stores of clarifications, agent statuses and runs, and the objects that all parts share. */
export interface Records {
  /** The locks of this process. Use them for your own files, too. */
  readonly locks: FileLockManager;
  /** Receives the events of this process. All events are logged. */
  readonly events: AgentEventBus;
  /** The log that other processes follow. */
  readonly log: EventLog;
  /** The clarifications on disk. */
  readonly ledger: ClarificationLedger;
  /** What each agent is working on. */
  readonly status: AgentStatusStore;
  /** Knows which process is running which open question. */
  readonly runs: Runs;
}

/** The parts of a workspace for its files on disk. */
export interface WorkspaceState {
  /** The folder that holds `.agentx/`; in a git worktree, the folder of the main checkout. */
  readonly root: string;
  /** The same folder in the caller's own checkout, where agents run and artifacts are read. */
  readonly tree: string;
  /** The settings, including defaults. */
  readonly config: Config;
  /** The language model of the calling program. */
  readonly model?: LanguageModel;
  /** Agents of the calling program, by role. */
  readonly agents: Readonly<Record<string, AgentInvoker>>;
  /** Pause before the second run of a target, if its first run failed, in milliseconds. */
  readonly retryDelayMs: number;
  /** Called with a message for each wait, and for each harmless failure. */
  readonly notify: (message: string) => void;
  /** The operations of commands, for undoing them. */
  readonly operations: OperationLog;
  /** Opens the stores of clarifications, statuses and runs, and the objects that all parts share. */
  records(): Records;
  /** Opens the local issues, which are loaded at the first call. */
  issueStore(): Promise<IssueStore>;
  /** Follows what all processes write to the log. */
  followLog(options?: LogFollowerOptions): Promise<LogFollower>;
  /** Opens the user's consent to the programs that the repository would run. */
  trust(): Promise<RepositoryTrust>;
  /** Opens the results of the last runs of agents. */
  results(): Promise<AgentResults>;
  /** Opens the memory of agents, which is loaded at the first call. */
  memory(): Promise<MemoryPipeline>;
  /** Opens the human gate, with the assumptions. */
  gate(): Promise<HumanGate>;
  /** Opens this machine's part in a remote that the user agreed to; undefined if there is none. */
  remote(): Promise<Remote | undefined>;
  /** Opens the claims that machines share, over a remote or through GitHub; undefined if there are none. */
  claims(): Promise<SharedClaims | undefined>;
}
