/**
 * The agentic loop: a model works on an issue with tools, asks other agents where something is unclear,
 * and goes on, in another process if need be.
 *
 * @example A model of the calling program asks the architect, and goes on with the answer
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { AgenticLoop, type LanguageModel, workspaceTools } from "@agentx/toolkit/loop";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const agents = { architect: async () => "PostgreSQL, as ADR-1 says." };
 * const workspace = await openWorkspace({ root, agents });
 * const question = { to: "architect", topic: "Database layer", question: "Which database?" };
 * const turns = [
 *   { text: "", calls: [{ id: "1", name: "request_clarification", input: question }] },
 *   { text: "PostgreSQL it is.", calls: [] },
 * ];
 * const model: LanguageModel = { name: "scripted", respond: async () => turns.shift()! };
 * const loop = new AgenticLoop(workspace, { model, tools: workspaceTools(workspace) });
 * const report = await loop.start({ agent: "engineer", issueNumber: 42, prompt: "Store orders." });
 * assertEquals([report.exit, report.text], ["complete", "PostgreSQL it is."]);
 * assertEquals([report.iterations, report.clarifications], [2, ["CLR-42-001"]]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export { AgenticLoop } from "./agentic_loop.ts";
export type { LoopTask, MoreToDo } from "./agentic_loop.ts";
export type { AgenticLoopConfig, LoopParts } from "./loop_parts.ts";
export type { ClarificationNeed, ClarificationResult, Hub } from "./hub.ts";
export type { OnClarificationNeeded } from "./run_call.ts";
export type { LoopReport, LoopStep } from "./steps.ts";
export type { LoopTool, ToolCall, ToolWait } from "./tool.ts";
export type { LoopExit } from "./transcript.ts";
export { ContextCompactor } from "./budget.ts";
export type {
  BudgetLevel,
  BudgetStatus,
  ContextCategory,
  ContextCompactorOptions,
  ContextItem,
} from "./budget.ts";
export { SessionManager } from "../memory/session_manager.ts";
export type { Session, SessionStart } from "../memory/session_manager.ts";
export { workspaceTools } from "./tools/workspace_tools.ts";
export { httpModel } from "../agents/http/http_model.ts";
export type { HttpModelOptions } from "../agents/http/http_model.ts";
export type {
  LanguageModel,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ModelTurn,
  ToolArgument,
  ToolInputSchema,
  ToolOffer,
} from "../agents/language_model.ts";
export type { JsonObject } from "../checks.ts";
