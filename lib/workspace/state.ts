/**
 * What a workspace knows, without the parts that act on it. Where it is and what its settings say is known
 * once it is open; each other part is loaded at the first call, so that a list loads only what it shows.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/agent_call.ts";
import type { AgentResults } from "../agents/results.ts";
import type { ClarificationLedger } from "../clarify/ledger.ts";
import type { LedgerScan } from "../clarify/ledger_files.ts";
import type { Runs } from "../clarify/runs.ts";
import type { AgentStatusStore } from "../clarify/status.ts";
import type { Config } from "../config/config.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { LogFollower, LogFollowerOptions } from "../events/follower.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import type { MemoryPipeline } from "../memory/pipeline.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";

/** Options of {@linkcode openWorkspace}. */
export interface OpenWorkspaceOptions {
  /** Where to look for `.agentx/`, there and upward. */
  root?: string;
  /**
   * Called with one sentence for each wait, and for what failed without harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
  /**
   * How to run agents of the calling program, by role. They need neither a setting nor consent.
   *
   * @default {{}}
   */
  agents?: Readonly<Record<string, AgentInvoker>>;
  /** Receives the events of this process; all of them are logged as well. */
  events?: AgentEventBus;
  /** Pause before the second run of a target that failed, in milliseconds. */
  retryDelayMs?: number;
  /** Ends every wait for a lock when it fires. */
  signal?: AbortSignal;
}

/** What all that changes files in this process shares. */
export interface SharedParts {
  /** The locks of this process: share them with files of your own. */
  readonly locks: FileLockManager;
  /** Tells what happens in this process; all of it is logged. */
  readonly events: AgentEventBus;
}

/** The clarifications, what each agent is doing, and who is at which question. */
export interface Records extends SharedParts {
  /** The clarifications on disk. */
  readonly ledger: ClarificationLedger;
  /** What each agent is doing. */
  readonly status: AgentStatusStore;
  /** Which process is running which open question. */
  readonly runs: Runs;
}

/** The parts of a workspace that know what is on disk. */
export interface WorkspaceState {
  /** The folder that holds `.agentx/`; for a git worktree, that of the main checkout. */
  readonly root: string;
  /** The same folder in the caller's own tree: agents run and artifacts are read here. */
  readonly tree: string;
  /** The settings, with defaults. */
  readonly config: Config;
  /** Agents of the calling program, by role. */
  readonly agents: Readonly<Record<string, AgentInvoker>>;
  /** Pause before the second run of a target that failed, in milliseconds. */
  readonly retryDelayMs: number;
  /** Called with one sentence for each wait, and for what failed without harm. */
  readonly notify: (message: string) => void;
  /** The locks and the events of this process; loaded at the first call. */
  shared(): Promise<SharedParts>;
  /** The local issues; loaded at the first call. */
  issueStore(): Promise<IssueStore>;
  /** The clarifications, and who is at them; loaded at the first call. */
  records(): Promise<Records>;
  /** Reads all clarifications; where there are none, nothing is loaded for it. */
  scanClarifications(): Promise<LedgerScan>;
  /** What each agent is doing; loaded at the first call. */
  agentStatus(): Promise<AgentStatusStore>;
  /** Follows what all processes write to the log. */
  followLog(options?: LogFollowerOptions): Promise<LogFollower>;
  /** The user's consent to what the repository would run. */
  trust(): Promise<RepositoryTrust>;
  /** How the last runs of agents ended; loaded at the first call. */
  results(): Promise<AgentResults>;
  /** What agents observed in their sessions; loaded at the first call. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human, and what was assumed; loaded at the first call. */
  gate(): Promise<HumanGate>;
}
