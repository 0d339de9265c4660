// The interface of the index that answers searches and lists: in SQLite, or in memory if there is no SQLite.

import type { Observation } from "../schema.ts";
import type { Filtered, SearchFilters } from "./filters.ts";
import type { ChangeLine } from "../memory_line.ts";

/** The fields of an observation besides its words. */
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

/** The counts of some terms in a document, and its place: enough to rank it without its text. */
export interface Counted {
  number: number;
  /** A number that stands for its session. */
  session: number;
  agent: string;
  /** Whether the observation is a note, written down by hand. */
  isNote: boolean;
  timeMs: number;
  isArchived: boolean;
  /** Number of terms in the document. */
  length: number;
  /** How often each of the given terms occurs in the document. */
  hits: Map<string, number>;
}

/** An index of all observations. Searches skip retracted and superseded ones. */
export interface MemoryIndex {
  /** Returns the number of documents that can be found, and their average number of terms. */
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
  /** Finds the observations with most of the terms by bm25, the best first; archived ones after all others. */
  best(terms: readonly string[], limit: number, filters?: SearchFilters): number[];
  /** Returns the term counts of the documents that `read` returns. */
  counted(numbers: readonly number[], terms: readonly string[]): Counted[];
  /** Returns the documents with these numbers, if they can be found. */
  read(numbers: readonly number[]): Indexed[];
  /** The documents of a session that can be found, in their order. */
  session(session: number): number[];
  /** Lists the observations that fit, the newest first. */
  list(filters: SearchFilters, limit: number): Observation[];
  /** The observations of an issue, or of all, by arrival; also retracted and superseded ones, but no archived ones. */
  inPlace(issueNumber?: number): Observation[];
  /** The newest searchable observations of an issue, in the order of arrival. */
  newest(issueNumber: number, limit: number): Observation[];
  /** Returns the archived observations of an issue. */
  archived(issueNumber: number): Observation[];
  /** Returns an observation, even if it cannot be found by words. */
  get(id: string): Observation | undefined;
  /** Returns the ids that begin with the text, or end with a dash and the text. */
  ids(text: string): string[];
  /** Whether an id, or the same words of the same session, is known; archived observations count. */
  isKnown(id: string, identity: number): boolean;
  /** Returns the lines that forget something. */
  forgotten(): ChangeLine[];
  /** Returns the numbers of all issues with observations, in order. */
  issues(): number[];
}
