/**
 * One observation by hand.
 *
 * @module
 */

import {
  estimateTokens,
  makeObservationId,
  MAX_CONTENT,
  type Observation,
  type ObservationCategory,
  summaryOf,
} from "./schema.ts";
import { noteSessionId } from "./session_id.ts";
import { truncate } from "./truncate.ts";

/** What somebody writes down. */
export interface Note {
  /** Who observed it. */
  agent: string;
  /** The issue it belongs to. */
  issueNumber: number;
  /** What it tells. */
  category: ObservationCategory;
  /** At most 2,000 characters. */
  content: string;
  /** The observation that it corrects, which is not recalled again. */
  supersedes?: string;
}

/**
 * @param note what was observed
 * @param nowMs the present, in milliseconds since the epoch
 * @returns an observation in the session of all notes of that agent on the issue
 */
export function makeNote(
  { agent, issueNumber, category, content: given, supersedes }: Note,
  nowMs: number,
): Observation {
  const content = truncate(given, MAX_CONTENT); // the marks of a cut may have made it longer
  return {
    id: makeObservationId(agent, issueNumber, nowMs),
    agent,
    issueNumber,
    category,
    content,
    summary: summaryOf(content),
    tokens: estimateTokens(content),
    timestamp: new Date(nowMs).toISOString(),
    sessionId: noteSessionId(agent, issueNumber),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}
