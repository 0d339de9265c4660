/**
 * The classes and methods under the names of the AgentX documents, for code that follows those documents. They do the
 * same as the shorter names of the other entry points.
 *
 * | in the documents | here | shorter |
 * |---|---|---|
 * | SPEC-1 2.6 | `JsonFileLock.withLock`, `FileLockManager.withSafeLock`, `AsyncMutex` | `lock` |
 * | SPEC-1 3.3 | `new ClarificationRouter({ root })` with `requestClarification`, `answerClarification`, ... | `agentx.ask`, `answer`, ... |
 * | SPEC-1 3.4 | `new ClarificationMonitor({ root })` with `runCheck`, `autoRetry`, `breakDeadlock` | `agentx.monitor` |
 * | SPEC-1 2.5 | `ClarificationLedger.getById`, `scan` | `agentx.get`, `list` |
 * | SPEC-AgentX 2.5 | `IObservationStore`, `JsonObservationStore` | `agentx.memory` |
 * | SPEC-AgentX 3.1 | `MemoryPipeline.injectMemory`, `searchMemory`, `getObservation` | `memory.recall`, `search`, `get` |
 * | SPEC-AgentX 3.1 | `MemoryPipeline.startCapture`, `dispose`; `store.listByAgent`, `listByCategory` | hooks capture; `memory.search` |
 * | SPEC-AgentX 2.5 | `ObservationExtractor` as `extractObservations` | `memory.capture` |
 * | SPEC-AgentX 2.5 | `RelevanceScorer` as `scoreObservations`, `MemoryInjector` as `injectObservations` | `memory.recall` |
 * | 002 P1.6 | `ChannelRouter` with `cliChannel`, `chatChannel`, `gitHubChannel` | the inbox, and comments on GitHub |
 * | ADR-1 6 | `AgenticLoop` with `onClarificationNeeded`, made by `openLoop`; `ContextCompactor` | `agentx run` |
 *
 * @example A request as SPEC-1 writes it, and a file under its lock
 * ```ts
 * import { initWorkspace } from "@agentx/toolkit";
 * import { FileLockManager, openParts } from "@agentx/toolkit/compat";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const { router, ledger } = await openParts({ root });
 * const { clarificationId, status } = await router.requestClarification({
 *   issueNumber: 42,
 *   fromAgent: "engineer",
 *   toAgent: "architect",
 *   topic: "Database layer",
 *   question: "PostgreSQL or SQLite?",
 *   blocking: false,
 * });
 * assertEquals([clarificationId, status], ["CLR-42-001", "pending"]);
 * const locks = new FileLockManager();
 * const topic = await locks.withSafeLock(`${root}/notes.txt`, "engineer", () =>
 *   ledger.getById(clarificationId).topic
 * );
 * assertEquals(topic, "Database layer");
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @example A model of the calling program works on an issue, and asks the architect
 * ```ts
 * import { initWorkspace } from "@agentx/toolkit";
 * import { type LanguageModel, openLoop } from "@agentx/toolkit/compat";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const agents = { architect: async () => "PostgreSQL, as ADR-1 says." };
 * const question = { to: "architect", topic: "Database layer", question: "Which database?" };
 * const turns = [
 *   { text: "", calls: [{ id: "1", name: "request_clarification", input: question }] },
 *   { text: "PostgreSQL it is.", calls: [] },
 * ];
 * const model: LanguageModel = { name: "scripted", respond: async () => turns.shift()! };
 * const loop = await openLoop({ model }, { root, agents });
 * const report = await loop.start({ agent: "engineer", issueNumber: 42, prompt: "Store orders." });
 * assertEquals([report.exit, report.text], ["complete", "PostgreSQL it is."]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @example Send a message to the channel that the prefix of its address names
 * ```ts
 * import { AgentEventBus } from "@agentx/toolkit";
 * import { ChannelRouter, cliChannel } from "@agentx/toolkit/compat";
 * import { assertEquals } from "@std/assert";
 *
 * const events = new AgentEventBus();
 * let shown = "";
 * const channels = [cliChannel({ write: (text) => shown += text })];
 * await new ChannelRouter({ events, channels }).send("cli:", "The build is green.");
 * assertEquals(shown, "  The build is green.\n");
 * assertEquals(events.getHistory("channel-message")[0].payload.direction, "outbound");
 * ```
 *
 * @module
 */

export { ClarificationMonitor, ClarificationRouter } from "../workspace/agentx.ts";
export { ChannelRouter, chatChannel, cliChannel } from "./channels.ts";
export type {
  ChannelMessage,
  ChannelRouterOptions,
  MessageChannel,
  TextSurface,
} from "./channels.ts";
export { gitHubChannel } from "./github_channel.ts";
export { openLoop, openParts } from "./parts.ts";
export type { Parts } from "./parts.ts";
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
export type { JsonObject } from "../base/checks.ts";
export { ClarificationLedger } from "../clarify/ledger/ledger.ts";
export type { LedgerEdit } from "../clarify/ledger/ledger.ts";
export type { LedgerScan } from "../clarify/ledger/ledger_files.ts";
export type { ClarificationOutcome } from "../clarify/hub/outcome.ts";
export type {
  ClarificationAction,
  ClarificationFollowUp,
  ClarificationRequest,
  OnAsked,
  RetryHow,
} from "../clarify/hub/requests.ts";
export type { LedgerFile, LedgerMove, NumbersByUid } from "../clarify/schema.ts";
export type { AgentStatusStore } from "../clarify/status/status.ts";
export type {
  AgentActivity,
  AgentBase,
  AgentStatus,
  AgentStatusFile,
  AgentStatusName,
  BaseStatus,
  RoleStatus,
} from "../clarify/status/status_file.ts";
export type { LOG_FIELDS, LogFields, LoggedOperation } from "../events/log.ts";
export { AsyncMutex, FileLockManager, JsonFileLock } from "../lock/mod.ts";
export type { JsonFileLockOptions, LockEvent, MutexOptions, Release } from "../lock/mod.ts";
export type { Standing } from "../memory/anchors/anchors.ts";
export type { InDoubt } from "../memory/anchors/in_doubt.ts";
export { extractObservations } from "../memory/extract/extract.ts";
export type { ExtractObservationsOptions } from "../memory/extract/extract.ts";
export type { Note } from "../memory/note.ts";
export { MemoryPipeline } from "../memory/memory_pipeline.ts";
export type { CaptureContext, RecallOptions } from "../memory/pipeline_options.ts";
export type { SessionUse } from "../memory/recall/displacement.ts";
export type { Injection, InjectOptions } from "../memory/recall/quoted_section.ts";
export { injectObservations } from "./recall_section.ts";
export { scoreObservations } from "../memory/recall/recall_rank.ts";
export type { ScoreContext, ScoredObservation } from "../memory/recall/recall_rank.ts";
export type { SearchFilters } from "../memory/index/filters.ts";
export type { FoundObservation } from "../memory/search/search.ts";
export type { IObservationStore, RecallCandidates } from "../memory/store/store.ts";
export type { StoreStats } from "../memory/store/stats.ts";
export { JsonObservationStore } from "../memory/store/store.ts";
export type { Compaction, StoreExamination } from "../memory/store/store.ts";
export { AgenticLoop } from "../run/agentic_loop.ts";
export type { LoopTask, MoreToDo } from "../run/agentic_loop.ts";
export { ContextCompactor } from "../run/budget.ts";
export type { BudgetLevel, BudgetStatus, ContextCategory, ContextItem } from "../run/budget.ts";
export type { Ambiguity } from "../run/ambiguity.ts";
export type { ClarificationNeed, ClarificationResult } from "../run/hub.ts";
export type { AgenticLoopConfig } from "../run/loop_parts.ts";
export type { OnClarificationNeeded } from "../run/run_call.ts";
export type { LoopReport, LoopStep } from "../run/steps.ts";
export type { LoopTool, ToolCall, ToolWait } from "../run/tool.ts";
export type { LoopExit } from "../run/transcript.ts";
export type { Transcript, TranscriptFormat, TranscriptMessage } from "../transcripts/transcript.ts";
export type { HostProcess } from "../who/host_process.ts";
