// Reads exported observations: one as JSON on each line, or the files of the original AgentX. Pure.

import { tryParseJson } from "../base/checks.ts";
import * as z from "zod/mini";
import { AgentxError } from "../base/errors.ts";
import { mayHoldSecret } from "../redact/hint.ts";
import { redact, redactValue } from "../redact/redact.ts";
import { quote } from "../base/quote.ts";
import {
  checkObservation,
  described,
  estimateTokens,
  MAX_CONTENT,
  type Observation,
  parseObservationId,
  truncate,
} from "./schema.ts";

const text = (key: string) => z.string(`${key} must be a string`);

/** The minimum fields of an observation from another program; its other keys are kept. */
const GIVEN = z.looseObject({
  id: text("id"),
  category: text("category"),
  content: text("content"),
  summary: z.optional(text("summary")),
  sessionId: z.optional(text("sessionId")),
}, "it is not an observation");

/**
 * Reads the output of `memory export`, an `issue-{n}.json`, or a list in JSON. It redacts secrets, and derives fields
 * that a file of the original AgentX may lack.
 *
 * @returns the observations, in their order
 * @throws {AgentxError} `INVALID_INPUT` if any of them is no observation, `NEWER_STATE`
 */
export function parseObservations(text: string, path: string): Observation[] {
  const whole = tryParseJson(text);
  refuseNewer(whole, path);
  if (whole !== undefined && listOf(whole) !== undefined) {
    return listOf(whole)!.map((value, index) => complete(value, `observations[${index}]`));
  }
  return [...parseLines(text.split("\n"))];
}

/** Whether a file that begins with this line is an export: each line is an observation. */
export function isExportLine(line: string): boolean {
  return GIVEN.safeParse(tryParseJson(line)).success;
}

/**
 * Reads the lines of an export one by one, so that it may be larger than memory.
 *
 * @param lines each an observation in JSON, or empty
 * @returns as {@linkcode parseObservations}
 * @throws {AgentxError} `INVALID_INPUT` at the first line that is not an observation
 */
export function* parseLines(lines: Iterable<string>): Generator<Observation> {
  let number = 0;
  for (const line of lines) {
    number++;
    if (line.trim() !== "") yield complete(tryParseJson(line), `line ${number}`);
  }
}

/** Refuses a file of a later version, because this version would drop its new fields. */
function refuseNewer(whole: unknown, path: string): void {
  const { version } = (whole ?? {}) as { version?: unknown };
  if (typeof version !== "number" || version <= 1) return;
  throw new AgentxError("NEWER_STATE", `Cannot import "${path}": it is of version ${version}`, {
    details: { path, version },
    next: "Use the version of the toolkit that wrote it; nothing was imported",
  });
}

function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const { observations } = (value ?? {}) as { observations?: unknown };
  return Array.isArray(observations) ? observations : undefined;
}

function complete(value: unknown, place: string): Observation {
  try {
    const given = GIVEN.safeParse(value);
    if (!given.success) {
      const why = given.error.issues[0].message;
      throw new AgentxError("INVALID_INPUT", `${why}, but is ${quote(value)}`, {
        details: { field: "observation", value: null },
      });
    }
    const { id, category, sessionId = "import", content: text, summary, ...others } = given.data;
    const { agent, issueNumber, timestampMs } = parseObservationId(id);
    const isTooLong = text.length > MAX_CONTENT;
    const wellFormed = text.toWellFormed();
    const redacted = mayHoldSecret(wellFormed) ? redact(wellFormed) : wellFormed;
    const content = isTooLong ? redacted : truncate(redacted, MAX_CONTENT);
    const isClean = content === text && summary !== undefined;
    const observation = {
      id,
      agent,
      issueNumber,
      category,
      ...described(content),
      ...(isClean ? { summary: redact(summary) } : {}),
      timestamp: new Date(timestampMs).toISOString(),
      sessionId: redact(sessionId),
      ...redactValue(others),
      tokens: estimateTokens(content),
    } as Observation;
    checkObservation(observation);
    return observation;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    throw new AgentxError("INVALID_INPUT", `Cannot import ${place}: ${error.summary}`, {
      details: { field: place, value: null },
      next: "Nothing was imported",
      cause: error,
    });
  }
}
