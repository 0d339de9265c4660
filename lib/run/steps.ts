// The steps of an agentic loop, for its watchers. Pure.

import type { Unreached } from "../clarify/reach.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { BudgetStatus } from "./budget.ts";
import type { LoopExit } from "./transcript.ts";

/** The outcome of a loop so far. */
export interface LoopReport {
  /** The session, by which it can be resumed. */
  id: string;
  /** The agent with its worker. */
  agent: string;
  /** The issue that it works on. */
  issueNumber: number;
  /** Why it stopped. */
  exit: LoopExit;
  /** The last words of the agent, the summary of an escalation, or the reason. */
  text: string;
  /** How often the model was asked, in all. */
  iterations: number;
  /** How many calls of tools were made, in all. */
  toolCalls: number;
  /** The same by tool. */
  tools: Record<string, number>;
  /** The clarifications that it asked, oldest first. */
  clarifications: string[];
  /** Estimated tokens that were sent to the model and received, in all. */
  tokens: number;
  /** How full its context is. */
  context: BudgetStatus;
}

/** One step. */
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
