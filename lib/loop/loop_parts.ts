/**
 * What an agentic loop takes of a workspace, and how it is set up.
 *
 * @module
 */

import type { LanguageModel } from "../agents/language_model.ts";
import type { AgentStatusStore } from "../clarify/status.ts";
import type { Workflow } from "../config/workflow.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { FileLockManager } from "../lock/mod.ts";
import type { MemoryPipeline } from "../memory/pipeline.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { Hub } from "./hub.ts";
import type { OnClarificationNeeded } from "./run_call.ts";
import type { LoopStep } from "./steps.ts";
import type { LoopTool } from "./tool.ts";

/** The parts of a workspace that an agentic loop works with. */
export interface LoopParts extends Hub {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The same folder in the caller's own tree. */
  tree: string;
  /** The locks of this process. */
  locks: FileLockManager;
  /** Hears what the loop does. */
  events: AgentEventBus;
  /** The local issues. */
  issues: IssueStore;
  /** Hears, in one sentence each, of what failed without harm. */
  notify: (message: string) => void;
  /** What each agent is doing. */
  agentStatus(): Promise<AgentStatusStore>;
  /** What earlier sessions learned. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human. */
  gate(): Promise<HumanGate>;
  /** The workflow that an issue takes. */
  workflowOf(issue: number): Workflow;
}

/** Options of {@linkcode AgenticLoop} (ADR-1 decision 6, `LoopConfig`). */
export interface AgenticLoopConfig {
  /** Who does the work. */
  model: LanguageModel;
  /**
   * What it may use, besides asking other agents.
   *
   * @default {[]}
   */
  tools?: readonly LoopTool[];
  /**
   * The agents that it may ask; none where it is empty.
   *
   * @default {those of its step in the workflow of the issue}
   */
  canClarify?: readonly string[];
  /**
   * Rounds of a clarification before a human is asked, at most the workflow's.
   *
   * @default {those of the workflow}
   */
  clarifyMaxRounds?: number;
  /**
   * Called where something is unclear, in place of the hub. It is called once for each call of the tool:
   * where that was cut off, the model is told that its outcome is unknown.
   *
   * @default {the hub of the workspace is asked}
   */
  onClarificationNeeded?: OnClarificationNeeded;
  /**
   * The sign of ambiguity in a text, with the groups `question`, `to` and `topic`.
   *
   * @default {a line such as `CLARIFY architect [Database layer]: Which one?`}
   */
  ambiguitySignal?: RegExp;
  /**
   * How often the model is asked, at most.
   *
   * @default {50}
   */
  maxIterations?: number;
  /**
   * Estimated tokens that are sent and received, at most.
   *
   * @default {2_000_000}
   */
  maxTokens?: number;
  /**
   * How many tokens the model can see at once; at three quarters of them, older turns are compacted.
   *
   * @default {200_000}
   */
  contextTokens?: number;
  /**
   * Hears of each step.
   *
   * @default {() => {}}
   */
  onStep?: (step: LoopStep) => void;
  /** Stops it; it can be gone on with. */
  signal?: AbortSignal;
}
