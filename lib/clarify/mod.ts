/**
 * Clarifications: the hub that routes them, and the files they are kept in.
 *
 * @module
 */

export { ClarificationRouter } from "./router.ts";
export type { ClarificationOutcome } from "./outcome.ts";
export type { ClarificationRequest } from "./router.ts";
export type { ClarificationRouterOptions } from "./hub_parts.ts";
export type { OnAsked, RetryHow } from "./ask_target.ts";
export { ClarificationLedger } from "./ledger.ts";
export type { LedgerMove, NumbersByUid } from "./renumber.ts";
export type { ClarificationLedgerOptions, LedgerScan, TrackedFiles } from "./ledger.ts";
export { ClarificationMonitor } from "./monitor.ts";
export type { ClarificationMonitorOptions, MonitorReport } from "./monitor.ts";
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
export type { EscalationChoice, WaitGraph } from "./wait_graph.ts";
export { clarificationStats } from "./stats.ts";
export type { ClarificationStats, Count } from "./stats.ts";
export { renderChat, renderTable, renderThread } from "./render/threads.ts";
export { makeStyle } from "../text/style.ts";
export type { Mark, Style } from "../text/style.ts";
export type { RenderView } from "../text/view.ts";
