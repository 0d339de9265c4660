/**
 * Clarifications: the hub that routes them, and the files they are kept in.
 *
 * @example `@agentx/toolkit/router`: the target answers a question by itself
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { renderChat } from "@agentx/toolkit/router";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const { router } = await openWorkspace({ root });
 * const { clarificationId, status } = await router.requestClarification({
 *   issueNumber: 42,
 *   fromAgent: "engineer",
 *   toAgent: "architect",
 *   topic: "Database layer",
 *   question: "PostgreSQL or SQLite?",
 *   blocking: false,
 * });
 * assertEquals([clarificationId, status], ["CLR-42-001", "pending"]);
 * const { clarification } = await router.answerClarification({
 *   clarificationId,
 *   answer: "PostgreSQL.",
 * });
 * assert(renderChat(clarification).includes("PostgreSQL."));
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @example `@agentx/toolkit/monitor`: a question that waited too long is marked as stale
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { ClarificationMonitor } from "@agentx/toolkit/monitor";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const { ledger, status, events, router, workflowOf } = await openWorkspace({ root });
 * const { clarificationId } = await router.requestClarification({
 *   issueNumber: 42,
 *   fromAgent: "engineer",
 *   toAgent: "architect",
 *   topic: "Database layer",
 *   question: "PostgreSQL or SQLite?",
 *   blocking: false,
 * });
 * await ledger.change(clarificationId, "engineer", (record) => {
 *   record.staleAfter = new Date(0).toISOString(); // as if its half hour were over
 * });
 * const monitor = new ClarificationMonitor({ ledger, status, events, workflowOf });
 * const { stale } = await monitor.runCheck();
 * assertEquals(stale.map(({ id, status }) => [id, status]), [[clarificationId, "stale"]]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export { ClarificationRouter } from "./router.ts";
export type { ClarificationOutcome } from "./outcome.ts";
export type {
  ClarificationAction,
  ClarificationFollowUp,
  ClarificationRequest,
} from "./requests.ts";
export type { ClarificationRouterOptions } from "./hub_parts.ts";
export type { OnAsked, RetryHow } from "./ask_target.ts";
export { ClarificationLedger } from "./ledger.ts";
export type { LedgerMove, NumbersByUid } from "./renumber.ts";
export type { ClarificationLedgerOptions, LedgerEdit } from "./ledger.ts";
export type { LedgerScan, TrackedFiles } from "./ledger_files.ts";
export { ClarificationMonitor } from "./monitor.ts";
export type { ClarificationMonitorOptions, MonitorReport } from "./monitor.ts";
export type { DeadlockedRecord } from "./remedies.ts";
export { Attachments } from "./attachments.ts";
export { Runs } from "./runs.ts";
export type { OpenRun, RunState } from "./runs.ts";
export { AgentStatusStore } from "./status.ts";
export type { AgentStatusOptions } from "./status.ts";
export type {
  AgentBase,
  AgentStatus,
  AgentStatusFile,
  AgentStatusName,
  BaseStatus,
  Deed,
  RoleStatus,
} from "./status_file.ts";
export type { ClarificationContext } from "./prompt.ts";
export type {
  ClarificationRecord,
  ClarificationStatus,
  LedgerFile,
  ThreadEntry,
  ThreadEntryType,
} from "./schema.ts";
export { chooseEscalation, waitGraph } from "./wait_graph.ts";
export type { Deadlock, EscalationChoice, WaitGraph } from "./wait_graph.ts";
export { clarificationStats } from "./stats.ts";
export type { ClarificationStats, Count } from "./stats.ts";
export { renderChat, renderTable, renderThread } from "./render/threads.ts";
export { makeStyle } from "../text/style.ts";
export type { Mark, Style } from "../text/style.ts";
export type { RenderView } from "../text/view.ts";
