// The parts of a workspace for an agentic loop, and their set-up.

import type { LanguageModel } from "../agents/language_model.ts";
import type { AgentStatusStore } from "../clarify/status/status.ts";
import type { Workflow } from "../config/workflow.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { MemoryPipeline } from "../memory/memory_pipeline.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { Hub } from "./hub.ts";
import type { OnClarificationNeeded } from "./run_call.ts";
import type { LoopStep } from "./steps.ts";
import type { LoopTool } from "./tool.ts";

/** A workspace, as far as an agentic loop works with it. */
export interface LoopParts extends Hub {
  root: string;
  /** The caller's own checkout. */
  tree: string;
  events: AgentEventBus;
  issues: IssueStore;
  /** Called with one sentence for each failure without harm. */
  notify: (message: string) => void;
  /** The work of each agent. */
  status: AgentStatusStore;
  /** The memory of earlier sessions. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human. */
  gate(): Promise<HumanGate>;
  /** The workflow that an issue takes. */
  workflowOf(issue: number): Workflow;
}

/** Options of {@linkcode AgenticLoop} (ADR-1 decision 6, `LoopConfig`). */
export interface AgenticLoopConfig {
  /** The model that does the work. */
  model: LanguageModel;
  /** Its tools, besides questions to other agents. */
  tools?: readonly LoopTool[];
  /** The agents that it may ask; none where it is empty. */
  canClarify?: readonly string[];
  /**
   * Rounds of a clarification before a human is asked, and clarifications that a session begins, at most the
   * workflow's.
   */
  clarifyMaxRounds?: number;
  /**
   * Called where something is unclear, in place of the hub. It is called once for each call of the
   * tool: where that was cut off, the model learns that its outcome is unknown.
   */
  onClarificationNeeded?: OnClarificationNeeded;
  /** The sign of ambiguity in a text, with the groups `question`, `to` and `topic`. */
  ambiguitySignal?: RegExp;
  /** How often the model is asked, at most. */
  maxIterations?: number;
  /** Estimated tokens that are sent and received, at most. */
  maxTokens?: number;
  /**
   * How many tokens the model can see at once; at three quarters of them, older turns are compacted.
   */
  contextTokens?: number;
  /** Called with each step. */
  onStep?: (step: LoopStep) => void;
  /** Stops it; it can be resumed. */
  signal?: AbortSignal;
}
