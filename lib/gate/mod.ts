/**
 * The gate to the human: a question only where four conditions hold, with options and a safe fallback, and
 * every assumption in one place (seed 004).
 *
 * @example A question that nobody answers in time
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { openRequests, parseBlock } from "@agentx/toolkit/gate";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const workspace = await openWorkspace({ root });
 * const gate = await workspace.gate();
 * const { id, content } = await gate.ask({
 *   agent: "product-manager",
 *   issue: 42,
 *   session: "s1",
 *   phase: "planning",
 *   blockerType: "missing_external_data",
 *   evidence: {
 *     codebaseSearch: "No Stripe keys in config/ or .env",
 *     similarFeatures: "There are no payment integrations",
 *     attemptedInference: "Neither test nor production mode can be inferred",
 *   },
 *   question: "Which Stripe environment?",
 *   options: ["Test mode", "Production mode"],
 *   fallback: { option: "a", reasoning: "it is safer", confidence: "medium", risk: "low" },
 * });
 * assertEquals(parseBlock(content)?.question, "Which Stripe environment?");
 * assertEquals((await openRequests(workspace)).map((open) => open.id), [id]);
 * const { outcome, decision } = await gate.expire(id); // as if its five minutes were over
 * assertEquals([outcome, decision?.label], ["timeout", "a"]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export { HumanGate } from "./gate.ts";
export type { AnswerOptions, AskOptions, HumanGateOptions } from "./gate_options.ts";
export type { GateDecision, GateInteraction, GateOutcome, Holder } from "./interaction.ts";
export type {
  BlockerType,
  Evidence,
  Fallback,
  GateOption,
  GateQuestion,
  GateRequest,
  Level,
} from "./request.ts";
export { InteractionStore } from "./store.ts";
export type { InteractionStoreOptions, Settled } from "./store.ts";
export type { InteractionFile, OrchestratorState } from "./gate_file.ts";
export type { TopicSettings } from "./conditions.ts";
export { AssumptionStore } from "./assumption_store.ts";
export type {
  AssumptionMemory,
  AssumptionStoreOptions,
  ReportedAssumption,
} from "./assumption_store.ts";
export type { Assumption, AssumptionStatus } from "./assumption.ts";
export { openRequests, unconfirmedRisks } from "./open_requests.ts";
export type { OpenRequest, WithGate } from "./open_requests.ts";
export { runGate } from "./run.ts";
export type { GateRun, RunGateOptions } from "./run.ts";
export type { Ambiguity, PlanMode } from "./run_prompts.ts";
export { renderBlock } from "./block.ts";
export { parseBlock } from "./parse_block.ts";
export type { ParsedBlock } from "./parse_block.ts";
