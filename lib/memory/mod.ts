/**
 * Memory that survives sessions: observations on disk, found again by what they say.
 *
 * @module
 */

export { extractFromTranscript, extractObservations } from "./extract.ts";
export type { ExtractFromTranscriptOptions, ExtractObservationsOptions } from "./extract.ts";
export { JsonObservationStore } from "./store.ts";
export type { ObservationStoreOptions } from "./store.ts";
export type { Exchange, RecordExamination } from "./records.ts";
export type { SearchFilters } from "./filters.ts";
export type { ObservationHit } from "./search.ts";
export type { StoreStats } from "./stats.ts";
export {
  CATEGORIES,
  estimateTokens,
  makeObservationId,
  MAX_CONTENT,
  MAX_PER_CAPTURE,
  parseObservationId,
  summaryOf,
} from "./schema.ts";
export type { Observation, ObservationCategory, ObservationIndex } from "./schema.ts";
export { MemoryPipeline } from "./pipeline.ts";
export type { CaptureContext, MemoryPipelineOptions, RecallOptions } from "./pipeline.ts";
export type { Note } from "./note.ts";
export { compactIssue } from "./compaction.ts";
export type { Compaction, CompactIssueOptions } from "./compaction.ts";
export { injectObservations } from "./inject.ts";
export type { Injection, InjectOptions } from "./inject.ts";
export { scoreObservations } from "./score.ts";
export type { ScoreContext, ScoredObservation } from "./score.ts";
export { planCompaction } from "./compact.ts";
export type { CompactionOptions, CompactionPlan } from "./compact.ts";
export { readTranscript } from "../transcripts/mod.ts";
export type {
  ReadTranscriptOptions,
  Transcript,
  TranscriptFormat,
  TranscriptMessage,
} from "../transcripts/mod.ts";
