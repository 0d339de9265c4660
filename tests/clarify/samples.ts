/**
 * Clarifications to begin a test with.
 *
 * @module
 */

import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { type NewClarification, newRecord } from "../../lib/clarify/transitions.ts";

/** 2026-02-26 10:00 UTC, as in the documents' examples. */
export const START_MS = Date.UTC(2026, 1, 26, 10);

export const MINUTE_MS = 60_000;

/** A pending clarification of an engineer, with changes. */
export function sampleRecord(
  changes: Partial<ClarificationRecord> = {},
  request: Partial<NewClarification> = {},
): ClarificationRecord {
  const asked = {
    from: changes.from ?? "engineer",
    to: "architect",
    topic: "Database layer",
    question: "PostgreSQL or SQLite?",
    blocking: true,
    maxRounds: 5,
    slaMinutes: 30,
  };
  return { id: "CLR-42-001", ...newRecord({ ...asked, ...request }, START_MS), ...changes };
}
