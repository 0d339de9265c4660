// The steps of an agentic loop, for observers. Pure.

import type { Unreached } from "../clarify/reach.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { BudgetStatus } from "./budget.ts";
import type { LoopExit } from "./transcript.ts";

/** The outcome of a loop so far. */
export interface LoopReport {
  /** The id of the session, with which it can be resumed. */
  id: string;
  /** The agent with its worker. */
  agent: string;
  /** The issue that the agent works on. */
  issueNumber: number;
  /** The reason why the loop stopped. */
  exit: LoopExit;
  /** The last words of the agent, the summary of an escalation, or the reason in words. */
  text: string;
  /** The number of turns of the model, in all runs. */
  iterations: number;
  /** The number of completed calls of tools, in all runs. */
  toolCalls: number;
  /** The same number for each tool. */
  tools: Record<string, number>;
  /** The clarifications that the loop asked in, oldest first. */
  clarifications: string[];
  /** Estimated tokens that were sent to the model and received, in all runs. */
  tokens: number;
  /** The state of the loop's context. */
  context: BudgetStatus;
}

/** One step of a loop. */
export type LoopStep =
  | { kind: "begin"; id: string; agent: string; issueNumber: number; isResumed: boolean }
  | { kind: "text"; agent: string; text: string }
  | { kind: "tool"; agent: string; tool: string; detail: string }
  | { kind: "failed"; agent: string; tool: string; reason: string }
  | { kind: "asked"; clarification: ClarificationRecord; reach?: Unreached }
  | { kind: "answered" | "settled"; clarification: ClarificationRecord }
  | { kind: "retry"; reason: string }
  | { kind: "compacted"; originalTokens: number; compactedTokens: number }
  | { kind: "end"; report: LoopReport; budget: string };
