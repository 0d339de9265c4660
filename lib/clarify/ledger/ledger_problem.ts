// Finds the problem of a ledger, read from disk or about to be written. Pure.

import { isListOfTexts, isObject } from "../../base/checks.ts";
import { nestingProblem } from "../../base/input_checks.ts";
import { isClarificationId, issueNumberOf, STATES } from "../schema.ts";

const STATUSES: readonly string[] = Object.keys(STATES);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ATTACHMENT = /^CLR-[0-9]{1,9}-[0-9]{3,9}-r[0-9]{1,9}-[0-9]{1,9}\.txt$/;
const WORD = /^[A-Za-z0-9][\w-]{0,99}$/;
const ENTRY_TYPES: readonly string[] = ["question", "answer", "resolution", "escalation"];

/**
 * Returns the first problem of a ledger that was read or is about to be written; undefined if it has none. The checks
 * are written by hand, not as a schema, because every listing of clarifications reads ledgers.
 */
export function ledgerProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!isCount(value.issueNumber)) return "issueNumber must be a whole number";
  if (typeof (value.issueUid ?? "") !== "string") return "issueUid must be a string";
  if (!isCount(value.lastSequence ?? 1)) return "lastSequence must be a whole number from 1";
  if (!Array.isArray(value.clarifications)) return "clarifications must be a list";
  const seen = new Set<string>();
  for (const [index, record] of value.clarifications.entries()) {
    const problem = recordProblem(record);
    if (problem !== undefined) return `clarifications[${index}]${problem}`;
    const id: string = record.id;
    if (!isClarificationId(id) || issueNumberOf(id) !== value.issueNumber) {
      return `clarifications[${index}].id must belong to issue ${value.issueNumber}, as CLR-${value.issueNumber}-001`;
    }
    if (seen.has(id)) return `clarifications[${index}].id is a duplicate`;
    seen.add(id);
  }
  return nestingProblem(value);
}

function recordProblem(record: unknown): string | undefined {
  if (!isObject(record)) return " must be an object";
  for (const key of ["id", "from", "to", "topic", "created", "staleAfter"]) {
    if (typeof record[key] !== "string") return `.${key} must be a string`;
  }
  if (typeof record.blocking !== "boolean") return ".blocking must be true or false";
  if (!STATUSES.includes(record.status as string)) {
    return `.status must be one of ${STATUSES.join(", ")}`;
  }
  if (!isCount(record.round)) return ".round must be a whole number from 1";
  if (!isCount(record.maxRounds)) return ".maxRounds must be a whole number from 1";
  if (Number.isNaN(Date.parse(record.created as string))) return ".created must be a time";
  if (Number.isNaN(Date.parse(record.staleAfter as string))) return ".staleAfter must be a time";
  if (typeof (record.resolvedAt ?? "") !== "string") return ".resolvedAt must be a string or null";
  if (!isIsoTimeOrNothing(record.retriedAt)) return ".retriedAt must be a time or null";
  const { supersededBy } = record;
  if (supersededBy !== undefined && !isClarificationId(String(supersededBy))) {
    return ".supersededBy must be an id";
  }
  const formerIds = record.formerIds ?? [];
  if (!Array.isArray(formerIds) || !formerIds.every((id) => isClarificationId(String(id)))) {
    return ".formerIds must be a list of ids";
  }
  if (!isSharedOrNothing(record.shared)) return ".shared is not how machines share it";
  if (!Array.isArray(record.thread)) return ".thread must be a list";
  for (const [index, entry] of record.thread.entries()) {
    const fits = isObject(entry) && isCount(entry.round) && typeof entry.from === "string" &&
      ENTRY_TYPES.includes(entry.type as string) && typeof entry.body === "string" &&
      typeof entry.timestamp === "string" && isNameListOrNothing(entry.attachments) &&
      isWordOrNothing(entry.runner) && isWordOrNothing(entry.session) &&
      ["model", "callId", "line", "machine", "login"].every((key) =>
        typeof (entry[key] ?? "") === "string"
      );
    if (!fits) return `.thread[${index}] is not an entry of a thread`;
  }
  return undefined;
}

/** Checks `shared`, a key that only agentx writes. */
function isSharedOrNothing(value: unknown): boolean {
  if (value === undefined) return true;
  return isObject(value) && typeof value.uid === "string" && isListOfTexts(value.marks) &&
    typeof (value.machine ?? "") === "string" && STATUSES.includes(value.status as string);
}

/** Checks `retriedAt`, a key that only agentx writes, always in the same format. */
function isIsoTimeOrNothing(value: unknown): boolean {
  return (value ?? null) === null || typeof value === "string" && ISO_TIME.test(value);
}

/**
 * Checks `attachments`, a key that only agentx writes. The strict format keeps a forged name from leading to another
 * file.
 */
function isNameListOrNothing(value: unknown): boolean {
  return value === undefined ||
    Array.isArray(value) &&
      value.every((name) => typeof name === "string" && ATTACHMENT.test(name));
}

/**
 * Checks `runner` and `session`, keys that only agentx writes. A session is passed on a command line, where it must not
 * look like an option.
 */
function isWordOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string" && WORD.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
