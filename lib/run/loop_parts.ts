// The parts of a workspace for an agentic loop, and the options of the loop.

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

/** The parts of a workspace that an agentic loop uses. */
export interface LoopParts extends Hub {
  root: string;
  /** The checkout of the caller. */
  tree: string;
  events: AgentEventBus;
  issues: IssueStore;
  /** Called with one sentence for each failure that does no harm. */
  notify: (message: string) => void;
  /** The store of each agent's status. */
  status: AgentStatusStore;
  /** The memory of earlier sessions. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human. */
  gate(): Promise<HumanGate>;
  /** Returns the workflow for an issue. */
  workflowOf(issue: number): Workflow;
}

/** Options of {@linkcode AgenticLoop} (ADR-1 decision 6, `LoopConfig`). */
export interface AgenticLoopConfig {
  /** The model that does the work. */
  model: LanguageModel;
  /** The tools of the model, besides the tool that asks other agents. */
  tools?: readonly LoopTool[];
  /** The agents that the model may ask; with an empty list, none. */
  canClarify?: readonly string[];
  /**
   * The maximum number of rounds of a clarification before a human is asked, and of clarifications that a session
   * begins. It cannot exceed the workflow's number.
   */
  clarifyMaxRounds?: number;
  /**
   * Called for each question of the model, in place of the hub. It is called once for each call of the tool. If that
   * call was interrupted, the model learns that the outcome is unknown.
   */
  onClarificationNeeded?: OnClarificationNeeded;
  /** The signal of ambiguity in a text, with the groups `question`, `to` and `topic`. */
  ambiguitySignal?: RegExp;
  /** The maximum number of turns of the model. */
  maxIterations?: number;
  /** The maximum number of estimated tokens, sent and received. */
  maxTokens?: number;
  /**
   * The number of tokens that the model can see at once. At three quarters of this number, older turns are
   * compacted.
   */
  contextTokens?: number;
  /** Called with each step. */
  onStep?: (step: LoopStep) => void;
  /** Stops the loop when it fires. The loop can be resumed. */
  signal?: AbortSignal;
}
