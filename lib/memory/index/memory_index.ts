// What searches and lists ask of an index: SQLite's, or the one in memory where there is none.

import type { Observation } from "../schema.ts";
import type { Filtered, SearchFilters } from "./filters.ts";
import type { ChangeLine } from "../memory_line.ts";

/** What an observation says of itself besides its words. */
export interface Facets extends Filtered {
  /** The number of the document in this index. */
  number: number;
}

/** An observation as an index has it. */
export interface Indexed {
  number: number;
  observation: Observation;
  /** A number that stands for its session. */
  session: number;
  isArchived: boolean;
}

/** An index of all observations. What is retracted or superseded is not found by words. */
export interface MemoryIndex {
  /** Documents that can be found, and their terms on average. */
  totals(): { count: number; averageLength: number };
  /** The agents that observed something. */
  agents(): string[];
  /** How many documents have a term. */
  frequencyOf(term: string): number;
  /** The documents that have a term. */
  containing(term: string): number[];
  /** All terms. */
  vocabulary(): string[];
  /** All documents that can be found. */
  facets(): Facets[];
  /** Those that have most of the terms by bm25, the best first; archived ones after all others. */
  best(terms: readonly string[], limit: number, filters?: SearchFilters): number[];
  /** The documents of these numbers that can be found. */
  read(numbers: readonly number[]): Indexed[];
  /** The documents of a session that can be found, in their order. */
  session(session: number): number[];
  /** What can be found and fits, the newest first. */
  list(filters: SearchFilters, limit: number): Observation[];
  /** Of an issue, or of all: what is in place, also retracted and superseded, as it arrived. */
  inPlace(issueNumber?: number): Observation[];
  /** The newest of an issue that can be found, as they arrived. */
  newest(issueNumber: number, limit: number): Observation[];
  /** The archived ones of an issue. */
  archived(issueNumber: number): Observation[];
  /** An observation, also one that cannot be found by words. */
  get(id: string): Observation | undefined;
  /** The ids that begin or end so. */
  ids(text: string): string[];
  /** Whether an id, or the same words of the same session, are known: also archived ones. */
  isKnown(id: string, identity: number): boolean;
  /** The lines that forget something. */
  forgotten(): ChangeLine[];
  /** The issues that anything was observed on, in their order. */
  issues(): number[];
}
