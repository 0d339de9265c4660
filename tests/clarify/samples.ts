/**
 * Clarifications to begin a test with.
 *
 * @module
 */

import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { type FirstQuestion, newRecord, type Terms } from "../../lib/clarify/rules/transitions.ts";

/** 2026-02-26 10:00 UTC, as in the documents' examples. */
export const START_MS = Date.UTC(2026, 1, 26, 10);

export const MINUTE_MS = 60_000;

/** A pending clarification of an engineer, with changes. */
export function sampleRecord(
  changes: Partial<ClarificationRecord> = {},
  request: Partial<FirstQuestion & Terms> = {},
): ClarificationRecord {
  const asked = {
    from: changes.from ?? "engineer",
    to: "architect",
    topic: "Database layer",
    question: "PostgreSQL or SQLite?",
    blocking: true,
    maxRounds: 5,
    slaMinutes: 30,
    nowMs: START_MS,
    ...request,
  };
  return { id: "CLR-42-001", ...newRecord(asked, asked), ...changes };
}

/** The text of a ledger in which the architect waits for the engineer, for 30 minutes from now. */
export function awaitedEngineer(issueNumber = 42): string {
  const asked = { from: "architect", to: "engineer", topic: "Size of the data" };
  const staleAfter = new Date(Date.now() + 30 * MINUTE_MS).toISOString();
  const id = `CLR-${issueNumber}-001`;
  return JSON.stringify({
    issueNumber,
    clarifications: [sampleRecord({ id, staleAfter }, asked)],
  });
}
