/**
 * Memory that survives sessions: observations on disk, found again by what they say.
 *
 * @example A session is captured, and found again by what it says
 * ```ts
 * import { FileLockManager } from "@agentx/toolkit/lock";
 * import {
 *   extractFromTranscript,
 *   JsonObservationStore,
 *   readTranscript,
 * } from "@agentx/toolkit/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const store = new JsonObservationStore(`${folder}/memory`, new FileLockManager(), {
 *   recallsPath: `${folder}/recalls.json`,
 * });
 * const session = "## User\n\nDecision: PostgreSQL in production, since operations back it up.\n";
 * const observations = extractFromTranscript(readTranscript(session), {
 *   agent: "engineer",
 *   issueNumber: 42,
 *   sessionId: "session-1",
 * });
 * await store.store(observations);
 * const [hit] = await store.search("why postgresql");
 * assertEquals([hit.id, hit.category], [observations[0].id, "decision"]);
 * await store.close();
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @module
 */

export { extractFromTranscript, extractObservations } from "./extract/extract.ts";
export type {
  ExtractFromTranscriptOptions,
  ExtractObservationsOptions,
} from "./extract/extract.ts";
export { JsonObservationStore } from "./store/store.ts";
export type { ObservationStoreOptions } from "./store/store.ts";
export type { ManifestState } from "./store/manifest.ts";
export type { IObservationStore, RecallCandidates } from "./store/observation_store.ts";
export type { Compaction, Exchange } from "./compaction_plan.ts";
export type { StoreExamination } from "./store/observation_files.ts";
export type { SearchFilters } from "./search/filters.ts";
export type { Embedder } from "./search/embedder.ts";
export type { FoundObservation, ObservationHit } from "./search/search.ts";
export type { StoreStats } from "./store/stats.ts";
export {
  CATEGORIES,
  estimateTokens,
  makeObservationId,
  MAX_CONTENT,
  MAX_PER_CAPTURE,
  parseObservationId,
  summaryOf,
} from "./schema.ts";
export type { Anchor, Observation, ObservationCategory, ObservationIndex } from "./schema.ts";
export type { SourceTree, Standing } from "./anchors/anchors.ts";
export type { Doubtful } from "./anchors/doubtful.ts";
export { MemoryPipeline } from "./pipeline.ts";
export type {
  CaptureContext,
  MemoryPipelineOptions,
  Recall,
  RecallOptions,
} from "./pipeline_options.ts";
export type { Note } from "./note.ts";
export { injectObservations } from "./recall/recall_section.ts";
export type { Injection, InjectOptions } from "./recall/quoted_section.ts";
export type { SessionUse, UseStats } from "./recall/displacement.ts";
export { SessionUses } from "./recall/session_uses.ts";
export { scoreObservations } from "./recall/relevance.ts";
export type { ScoreContext, ScoredObservation } from "./recall/relevance.ts";
export { readTranscript } from "../transcripts/mod.ts";
export type {
  ReadTranscriptOptions,
  Transcript,
  TranscriptFormat,
  TranscriptMessage,
} from "../transcripts/mod.ts";
