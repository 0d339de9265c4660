// Checks of input: issue numbers, texts of people and agents (SPEC-1 section 6.3), and rules for all files. Pure.

import { objectOf } from "./checks.ts";
import { AgentxError } from "./errors.ts";
import { quote } from "./quote.ts";

const MAX_ISSUE = 999_999_999;

/** Maximum depth of JSON to write: deeper than any real file, and far below the limit of the runtime's JSON writer. */
const MAX_LEVELS = 100;

/** Returns a valid issue number. Throws `INVALID_INPUT` unless it is a whole number from 1 to 999,999,999. */
export function checkIssueNumber(issueNumber: unknown): number {
  if (Number.isInteger(issueNumber) && (issueNumber as number) >= 1) {
    if ((issueNumber as number) <= MAX_ISSUE) return issueNumber as number;
  }
  throw invalidInput("issue", issueNumber, `it must be a whole number from 1 to ${MAX_ISSUE}`);
}

/**
 * Returns a valid text. Throws `INVALID_INPUT` unless it is a string, not blank, not too long and well-formed Unicode.
 */
export function checkText(field: string, text: unknown, maxCharacters: number): string {
  if (typeof text !== "string" || text.trim() === "") {
    throw invalidInput(field, text, "it is empty");
  }
  if (!text.isWellFormed()) throw invalidInput(field, text, "it contains a lone surrogate");
  const length = text.length > maxCharacters ? [...text].length : text.length;
  if (length > maxCharacters) {
    const why = `it has ${length} characters, but at most ${maxCharacters} are allowed`;
    throw invalidInput(field, `${text.slice(0, 40)}...`, why, "Shorten it and try again");
  }
  return text;
}

/**
 * Returns why JSON that was read cannot be written again; undefined if it can. Unknown keys may hold values of any
 * depth.
 */
export function nestingProblem(value: object): string | undefined {
  return isNestedDeeper(value, MAX_LEVELS) ? "it is nested too deep" : undefined;
}

function isNestedDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const inner of Object.values(value)) {
    if (typeof inner !== "object" || inner === null) continue;
    if (isNestedDeeper(inner, levels - 1)) return true;
  }
  return false;
}

/** Throws `NEWER_STATE` if a later version wrote the file. */
export function checkVersion(value: unknown, path: string, known: number): void {
  const { version } = objectOf(value);
  if (typeof version !== "number" || version <= known) return;
  const why = `a newer agentx wrote it (version ${version})`;
  throw new AgentxError("NEWER_STATE", `Cannot read "${path}": ${why}`, {
    details: { path, version },
    next: "Update agentx; nothing was changed",
  });
}

/** Returns the error for a value that cannot be used. */
export function invalidInput(
  field: string,
  value: unknown,
  why: string,
  next = "Correct it and try again",
): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot use ${quote(value)} as ${field}: ${why}`, {
    details: { field, value },
    next,
  });
}
