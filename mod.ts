/**
 * AgentX toolkit: coding agents that work on one repository ask each other instead of guessing, on
 * plain files that many processes share safely.
 *
 * Start with {@linkcode openWorkspace}, whose parts are all connected; or take single ones, such as
 * the lock (`@agentx/toolkit/lock`) or the router (`@agentx/toolkit/router`).
 *
 * @module
 */

export type { RenderView } from "./lib/text/view.ts";
export type { Assumption, ClosedIssue, Digest } from "./lib/work/digest/schema.ts";
export type { IssueRow } from "./lib/work/issue/row.ts";
export { openWorkspace } from "./lib/workspace/open.ts";
export type { Workspace } from "./lib/workspace/open.ts";
export type { OpenWorkspaceOptions, WorkspaceState } from "./lib/workspace/state.ts";
export { AgentxError, EXIT_CODES, hasCode } from "./lib/errors.ts";
export type { AgentxErrorOptions, ErrorCode, ErrorDetails, LockHolder } from "./lib/errors.ts";
export { AgentEventBus } from "./lib/events/bus.ts";
export type {
  AgentEvent,
  AgentEventBusOptions,
  ClarificationEvent,
  EventListener,
  EventMap,
  EventName,
  EventRecord,
  MemoryEvent,
  TimedEvent,
} from "./lib/events/bus.ts";
export { commandInvoker } from "./lib/agents/invoke.ts";
export type { AgentCall, AgentInvoker, CommandInvokerOptions } from "./lib/agents/invoke.ts";
export type { AgentConfig, Config } from "./lib/config/config.ts";
export type {
  RepositoryTrust,
  RepositoryTrustOptions,
  TrustedFile,
  TrustPlan,
} from "./lib/config/trust.ts";
export type { Workflow, WorkflowStep } from "./lib/config/workflow.ts";
export { IssueStore } from "./lib/work/issue/issue_store.ts";
export type { IssueScan, IssueStoreOptions } from "./lib/work/issue/issue_store.ts";
export type { IssueRepair, Renumbered } from "./lib/work/issue/issue_repair.ts";
export type { Issue, IssueComment, IssueUpdate, NewIssue } from "./lib/work/issue/issue.ts";
export { LoopGate } from "./lib/work/loop/loop_gate.ts";
export type { LoopGateOptions, LoopStepOptions } from "./lib/work/loop/loop_gate.ts";
export type { LoopEntry, LoopState } from "./lib/work/loop/loop_state.ts";
export { ReadyQueue } from "./lib/work/queue/claim.ts";
export type { ClaimOptions, ReadyList, ReadyQueueOptions } from "./lib/work/queue/claim.ts";
export type { Queue, WaitingIssue, WaitReason } from "./lib/work/queue/selection.ts";
export { routeOf } from "./lib/work/route/route.ts";
export type { Route, RouteStep, WorkflowSource } from "./lib/work/route/route.ts";
export type { Size } from "./lib/work/issue/labels.ts";
export { validateHandOver } from "./lib/work/route/validate.ts";
export type { CheckedStep, HandOver, Validation } from "./lib/work/route/validate.ts";
export { renderChat, renderTable, renderThread } from "./lib/clarify/render/threads.ts";
export { makeStyle } from "./lib/text/style.ts";
export type { Mark, Style } from "./lib/text/style.ts";
export { AsyncMutex, FileLockManager, JsonFile, JsonFileLock } from "./lib/lock/mod.ts";
export type {
  IFileLock,
  JsonFileLockOptions,
  JsonFileOptions,
  JsonFormat,
  LockEvent,
  LockHandle,
  MutexOptions,
  Release,
} from "./lib/lock/mod.ts";
export {
  AgentStatusStore,
  Attachments,
  ClarificationLedger,
  ClarificationRouter,
  Runs,
} from "./lib/clarify/mod.ts";
export type {
  AgentStatus,
  AgentStatusFile,
  AgentStatusName,
  AgentStatusOptions,
  BaseStatus,
  ClarificationContext,
  ClarificationLedgerOptions,
  ClarificationOutcome,
  ClarificationRecord,
  ClarificationRequest,
  ClarificationRouterOptions,
  ClarificationStatus,
  LedgerFile,
  LedgerScan,
  OnAsked,
  OpenRun,
  RetryHow,
  RoleStatus,
  RunState,
  ThreadEntry,
  ThreadEntryType,
} from "./lib/clarify/mod.ts";
export { chooseEscalation, waitGraph } from "./lib/clarify/wait_graph.ts";
export type { EscalationChoice, WaitGraph } from "./lib/clarify/wait_graph.ts";
export { clarificationStats } from "./lib/clarify/stats.ts";
export type { ClarificationStats, Count } from "./lib/clarify/stats.ts";
export { LogFollower } from "./lib/events/follower.ts";
export type { LogFollowerOptions, LogLine } from "./lib/events/follower.ts";
export { DigestStore } from "./lib/work/digest/digest.ts";
export type { CollectedDigest, DigestStoreOptions } from "./lib/work/digest/digest.ts";
export type { IsoWeek } from "./lib/work/digest/iso_week.ts";
export { readTranscript } from "./lib/transcripts/mod.ts";
export type {
  ReadTranscriptOptions,
  Transcript,
  TranscriptFormat,
  TranscriptMessage,
} from "./lib/transcripts/mod.ts";
export {
  extractFromTranscript,
  extractObservations,
  JsonObservationStore,
  MemoryPipeline,
} from "./lib/memory/mod.ts";
export type {
  CaptureContext,
  Exchange,
  ExtractFromTranscriptOptions,
  ExtractObservationsOptions,
  Injection,
  InjectOptions,
  MemoryPipelineOptions,
  Note,
  Observation,
  ObservationCategory,
  ObservationHit,
  ObservationIndex,
  ObservationStoreOptions,
  RecallOptions,
  SearchFilters,
  StoreStats,
} from "./lib/memory/mod.ts";
