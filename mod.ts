/**
 * AgentX toolkit: coding agents that work on one repository ask each other instead of guessing, on
 * plain files that many processes share safely.
 *
 * Start with {@linkcode openWorkspace}, whose parts are all connected. What is not here has a door of
 * its own: `@agentx/toolkit/lock`, `/router` (and `/monitor`), `/gate`, `/memory`, `/work`, `/events`, `/config`.
 *
 * @example An issue is taken, a question about it asked, and the clarification ended
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const agents = { architect: async () => "PostgreSQL, as ADR-1 says." };
 * const { issues, ready, router } = await openWorkspace({ root, agents });
 * await issues.create({ title: "Pay by card", labels: ["type:story", "p1"] });
 * const { number } = await ready.claim("engineer");
 * const { clarificationId, answer } = await router.requestClarification({
 *   issueNumber: number,
 *   fromAgent: "engineer",
 *   toAgent: "architect",
 *   topic: "Database layer",
 *   question: "PostgreSQL or SQLite?",
 *   blocking: true,
 * });
 * assertEquals(answer, "PostgreSQL, as ADR-1 says.");
 * const { status } = await router.resolveClarification({ clarificationId, resolutionBody: "Clear." });
 * assertEquals(status, "resolved");
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export { openWorkspace } from "./lib/workspace/open.ts";
export type { Workspace } from "./lib/workspace/open.ts";
export type { Work } from "./lib/workspace/work.ts";
export type {
  OpenWorkspaceOptions,
  Records,
  SharedParts,
  WorkspaceState,
} from "./lib/workspace/state.ts";
export { initWorkspace } from "./lib/workspace/init.ts";
export { AgentxError, EXIT_CODES, hasCode } from "./lib/errors.ts";
export type { AgentxErrorOptions, ErrorCode, ErrorDetails } from "./lib/errors.ts";
export { HUMAN } from "./lib/agent_names.ts";
export { commandInvoker } from "./lib/agents/invoke.ts";
export type { CommandInvokerOptions } from "./lib/agents/invoke.ts";
export type { AgentCall, AgentInvoker, AgentReply, AnsweredBy } from "./lib/agents/agent_call.ts";
export { AgentEventBus } from "./lib/events/bus.ts";
export { AsyncMutex, FileLockManager, JsonFile, JsonFileLock } from "./lib/lock/mod.ts";
export {
  ClarificationLedger,
  ClarificationMonitor,
  ClarificationRouter,
  renderChat,
  renderThread,
} from "./lib/clarify/mod.ts";
export type {
  ClarificationOutcome,
  ClarificationRecord,
  ClarificationRequest,
  ClarificationStatus,
} from "./lib/clarify/mod.ts";
export { JsonObservationStore, MemoryPipeline, readTranscript } from "./lib/memory/mod.ts";
export type { Observation } from "./lib/memory/mod.ts";
export { IssueStore, LoopGate, ReadyQueue, routeOf, validateHandOver } from "./lib/work/mod.ts";
export type { Issue } from "./lib/work/mod.ts";
export { parseWorkflow } from "./lib/config/mod.ts";
export type { Workflow } from "./lib/config/mod.ts";
export { redact } from "./lib/redact/redact.ts";
