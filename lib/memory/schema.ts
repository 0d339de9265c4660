// An observation, as it is on disk, in `--json` and in memory (SPEC-AgentX sections 2.4 and 4).
// Pure.

import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { isObject } from "../base/checks.ts";
import { checkText, invalidInput } from "../base/input_checks.ts";

/** The kind of an observation (SPEC-AgentX section 2.4). */
export type ObservationCategory =
  | "decision"
  | "code-change"
  | "error"
  | "key-fact"
  | "compaction-summary";

/** Something that an agent learned, decided, changed or ran into (SPEC-AgentX section 2.4). */
export interface Observation {
  /** `obs-{agent}-{issue}-{milliseconds}-{six letters or digits}`. */
  id: string;
  /** The agent that made the observation. */
  agent: string;
  /** The issue that was worked on; 0 is the project. */
  issueNumber: number;
  /** The `uid` of that issue; absent if it is not known. */
  issueUid?: string;
  /** The kind of observation. */
  category: ObservationCategory;
  /** The whole text, word for word, at most {@linkcode MAX_CONTENT} characters. */
  content: string;
  /** The text in about 50 tokens, derived from the content. */
  summary: string;
  /** Estimated tokens of the content. */
  tokens: number;
  /** ISO-8601, UTC. */
  timestamp: string;
  /** The session it comes from. */
  sessionId: string;
  /** The id of the observation that this one corrects; that observation is never recalled again. */
  supersedes?: string;
  /** Set if the observation was marked as wrong: it is kept, but never found or recalled again. */
  retracted?: { because: string; timestamp: string };
  /** The source, if it is a recording: the agent's report, or words of the agent or a person. */
  source?: "report" | "agent" | "person";
  /** The commit that was checked out at the capture; absent if it is not known. */
  commit?: string;
  /** The places in the working tree that the content names, as they were at the capture; absent if it names none. */
  anchors?: Anchor[];
}

/** A place in the working tree, with fingerprints of its content. */
export interface Anchor {
  /** Relative to the repository. */
  path: string;
  /** The symbol defined there; absent for a line or a whole file. */
  symbol?: string;
  /** The number of the anchored line, from 1. */
  line?: number;
  /** Five letters or digits for each line of the place; for a whole file, for some of its lines only. */
  lines: string;
}

/** An observation without its content, as a search returns it. */
export type ObservationIndex = Pick<
  Observation,
  "id" | "agent" | "issueNumber" | "category" | "summary" | "tokens" | "timestamp" | "source"
>;

/** All categories, as SPEC-AgentX lists them. */
export const CATEGORIES: readonly ObservationCategory[] = [
  "decision",
  "code-change",
  "error",
  "key-fact",
  "compaction-summary",
];

const SOURCES: Record<NonNullable<Observation["source"]>, string> = {
  report: "reported by the agent",
  agent: "said by the agent",
  person: "said by a person",
};

/** Names the source of an observation from a recording; empty for a note. */
export function toldBy({ source }: Pick<Observation, "source">): string {
  return source !== undefined && Object.hasOwn(SOURCES, source) ? SOURCES[source] : "";
}

/** The issue number of observations that belong to the project. */
export const PROJECT = 0;

/** Maximum length of a content, in Unicode characters (SPEC-AgentX section 6.2). */
export const MAX_CONTENT = 2_000;

/** Maximum number of observations in one capture (SPEC-AgentX section 3.4). */
export const MAX_PER_CAPTURE = 50;

/** Maximum characters of a summary: about 50 tokens. */
const MAX_SUMMARY = 200;

/** Matches white space that is more than one space; most texts have none. */
const UNEVEN = /[^\S ]|\s\s/u;

const CHARACTERS_PER_TOKEN = 4;
const ID = /^obs-([a-z0-9][a-z0-9_.@-]{0,63})-(0|[1-9][0-9]{0,8})-([0-9]{1,15})-([a-z0-9]{6})$/;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Estimates the tokens of a text, at four characters per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Returns the maximum characters of a number of tokens, as {@linkcode estimateTokens} counts them. */
export function charactersOf(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}

/**
 * Reads an id.
 *
 * @throws {AgentxError} `INVALID_INPUT` unless it looks like `obs-engineer-29-1709035200000-a1b2c3`
 */
export function parseObservationId(
  id: unknown,
): { agent: string; issueNumber: number; timestampMs: number } {
  const parts = typeof id === "string" ? readObservationId(id) : undefined;
  if (parts === undefined) {
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot use ${quote(id)} as id: it must look like obs-engineer-29-1709035200000-a1b2c3`,
      { details: { field: "id", value: id }, next: "Find it with: agentx memory search" },
    );
  }
  return parts;
}

/** Like {@linkcode parseObservationId}; undefined unless it looks like an id. */
export function readObservationId(
  id: string,
): ReturnType<typeof parseObservationId> | undefined {
  const match = ID.exec(id);
  if (match === null) return undefined;
  return { agent: match[1], issueNumber: Number(match[2]), timestampMs: Number(match[3]) };
}

/** Returns the end of an id, which distinguishes it from others; commands accept it instead of the id. */
export function shortIdOf(id: string): string {
  return id.slice(-6);
}

/**
 * Makes an id; a random part distinguishes ids of the same millisecond.
 *
 * @param agent the agent or a worker: `engineer@2`
 * @param issueNumber the issue; 0 is the project
 * @param timestampMs the time of the observation, in milliseconds since the epoch
 * @returns such as `obs-engineer-29-1709035200000-a1b2c3`
 */
export function makeObservationId(agent: string, issueNumber: number, timestampMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  const suffix = Array.from(random, (byte) => (byte % 36).toString(36)).join("");
  return `obs-${agent}-${issueNumber}-${timestampMs}-${suffix}`;
}

/**
 * Makes an observation with an id of its own and the derived fields.
 *
 * @param observation its given fields, with `id` if the id is already known
 */
export function newObservation(
  {
    agent,
    issueNumber,
    category,
    content,
    timestampMs,
    sessionId,
    id = makeObservationId(agent, issueNumber, timestampMs),
  }:
    & Pick<Observation, "agent" | "issueNumber" | "category" | "content" | "sessionId">
    & { timestampMs: number; id?: string },
): Observation {
  return {
    id,
    agent,
    issueNumber,
    category,
    ...described(content),
    timestamp: new Date(timestampMs).toISOString(),
    sessionId,
  };
}

/**
 * Derives the summary: the first sentence, or as much of it as fits.
 *
 * @returns one line of at most 200 characters
 */
export function summaryOf(content: string): string {
  const line = (UNEVEN.test(content) ? content.replace(/\s+/gu, " ") : content).trim();
  if (line.length <= MAX_SUMMARY) return line;
  const sentence = /^.{20,}?[.!?](?= )/.exec(line.slice(0, MAX_SUMMARY + 1))?.[0];
  if (sentence !== undefined) return sentence;
  const cut = line.slice(0, MAX_SUMMARY - 3);
  return `${cut.slice(0, cut.lastIndexOf(" ") + 1 || cut.length).trimEnd().toWellFormed()}...`;
}

/** Returns as many whole sentences or lines of a text as fit; if none fits, as many words. */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters);
  const sentences = /^[^]*(?:[.!?](?=\s)|(?=\n))/u.exec(start)?.[0];
  if (sentences !== undefined && sentences.length > 0) return sentences;
  return start.slice(0, start.lastIndexOf(" ") + 1 || start.length).trimEnd().toWellFormed();
}

/** Returns a content with its derived fields. */
export function described(content: string): Pick<Observation, "content" | "summary" | "tokens"> {
  return { content, summary: summaryOf(content), tokens: estimateTokens(content) };
}

/** Compares by time, for sorting: negative if `a` is older. */
export function byTimestamp(a: { timestamp: string }, b: { timestamp: string }): number {
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
}

/** Returns an observation without its content, as a search returns it. */
export function indexOf(observation: Observation): ObservationIndex {
  const { id, agent, issueNumber, category, summary, tokens, timestamp, source } = observation;
  const entry = { id, agent, issueNumber, category, summary, tokens, timestamp };
  return source === undefined ? entry : { ...entry, source };
}

/** Refuses too many observations for one capture, and an observation that cannot be stored: `INVALID_INPUT`. */
export function checkCapture(observations: readonly Observation[]): void {
  if (!Array.isArray(observations) || observations.length > MAX_PER_CAPTURE) {
    const why = `a capture has at most ${MAX_PER_CAPTURE}`;
    throw invalidInput("observations", observations?.length, why);
  }
  observations.forEach(checkObservation);
}

/** Refuses an observation that cannot be stored: `INVALID_INPUT`. */
export function checkObservation(observation: Observation): void {
  const { id, agent, issueNumber, category, content, timestamp, tokens, supersedes } = observation;
  const fromId = parseObservationId(id);
  checkText("content", content, MAX_CONTENT);
  for (const field of ["summary", "timestamp", "sessionId", "issueUid"] as const) {
    const value = observation[field];
    if (field !== "issueUid" || value !== undefined) checkText(field, value, Infinity);
  }
  if (supersedes !== undefined) parseObservationId(supersedes);
  const isTime = TIMESTAMP.test(timestamp) && !Number.isNaN(Date.parse(timestamp));
  const rules: Array<[keyof Observation, boolean, string]> = [
    ["agent", agent === fromId.agent, `the id says ${fromId.agent}`],
    ["issueNumber", issueNumber === fromId.issueNumber, `the id says ${fromId.issueNumber}`],
    ["category", CATEGORIES.includes(category), `it must be one of ${CATEGORIES.join(", ")}`],
    ["timestamp", isTime, "it must look like 2026-02-27T10:00:00.000Z"],
    ["tokens", Number.isSafeInteger(tokens) && tokens >= 0, "it must be a whole number"],
  ];
  for (const [field, holds, why] of rules) {
    if (!holds) throw invalidInput(field, observation[field], why);
  }
}

/** Makes the error for an id that no observation has. */
export function observationNotFound(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such observation`, {
    details: { kind: "observation", id },
    next: "Find it with: agentx memory search",
  });
}

/** Returns the ids of observations that were retracted, or superseded by one that was not retracted. */
export function supersededIds(observations: readonly Observation[]): Set<string> {
  const hidden = new Set<string>();
  for (const { id, supersedes, retracted } of observations) {
    if (retracted !== undefined) hidden.add(id);
    else if (supersedes !== undefined) hidden.add(supersedes);
  }
  return hidden;
}

/** Whether a value is an observation, and one of the given issue if there is a number. */
export function isObservation(value: unknown, issueNumber?: number): value is Observation {
  if (!isObservationIndex(value)) return false;
  const { content, sessionId } = value as Observation;
  return typeof content === "string" && typeof sessionId === "string" &&
    (issueNumber === undefined || value.issueNumber === issueNumber);
}

/** Whether a value has an observation's fields besides its content. */
function isObservationIndex(value: unknown): value is ObservationIndex {
  if (!isObject(value)) return false;
  const { id, agent, issueNumber, category, summary, tokens, timestamp } = value;
  return typeof id === "string" && typeof agent === "string" && typeof category === "string" &&
    typeof summary === "string" && typeof timestamp === "string" &&
    Number.isSafeInteger(issueNumber) && typeof tokens === "number";
}
