/**
 * Finds in a session what is worth remembering, by rules: no model is asked.
 *
 * Roles are read apart: what a person says is a decision or a fact, the agent's conclusions count
 * more than what it says on the way, and of tools only changes, commits and errors count. Private
 * parts and secrets are taken out of each message before anything reads it; sentences are kept word
 * for word. The same session gives the same contents in the same order.
 *
 * @module
 */

import { createRedactor, redact } from "../../redact/redact.ts";
import { sys } from "../../sys/mod.ts";
import { withoutRecall } from "../../transcripts/own_recall.ts";
import type { Transcript, TranscriptMessage } from "../../transcripts/transcript.ts";
import { MAX_CONTENT, MAX_PER_CAPTURE, newObservation, type Observation } from "../schema.ts";
import { type Candidate, summaryCandidates } from "./candidates.ts";
import { candidatesOf } from "./messages.ts";
import { withRelativePaths } from "./relative_paths.ts";
import { select } from "./select.ts";

/** Options of {@linkcode extractObservations}. */
export interface ExtractObservationsOptions {
  /**
   * Folders of the repository: paths in them are written relative to it.
   *
   * @default {[]}
   */
  folders?: readonly string[];
}

/** Whose session it was. */
export interface ExtractFromTranscriptOptions extends ExtractObservationsOptions {
  /** The agent, also a worker: `engineer@2`. */
  agent: string;
  /** The issue it worked on, from 1. */
  issueNumber: number;
  /** The session, as the observations will name it. */
  sessionId: string;
}

/** What a person asks. */
const QUESTION =
  /\?\s*$|^(?:what|why|how|where|when|which|who|is|are|does|do|can|will|tell me|explain)\b/i;

/** A person may well repeat a sentence of the agent, but not a message. */
const SHORTEST_ECHO = 200;

/** At the end of what an agent asks. */
const ASKED = /\?[\s*_)"]*$/;

/** Observations of a session in which little was said, and how many more each statement allows. */
const BASE_LIMIT = 13;
const LIMIT_PER_STATEMENT = 0.65;
const LIMIT_PER_RESULT = 0.35;

/** Of what was said, so many characters allow one more. */
const LENGTH_PER_ONE = 2_500;

/** What is left for the rest of a session whose last answer is a long list. */
const BESIDE_LAST_ANSWER = 8;

/**
 * Turns the summary of a compacted conversation into observations: the items under its sections
 * (decisions, code changes, errors, key facts), or the whole where it has none.
 *
 * @param summary markdown
 * @param agent the agent, also a worker: `engineer@2`
 * @param issueNumber the issue it worked on, from 1
 * @param sessionId the session it is the summary of
 * @param options the folders of the repository
 * @returns at most 50, in the order of the summary
 *
 * @example Each section has its category
 * ```ts
 * import { extractObservations } from "@agentx/toolkit/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const summary = "### Decisions\n- chose one file per issue over a database\n";
 * const [{ category, content }] = extractObservations(summary, "engineer", 29, "session-1");
 * assertEquals([category, content], ["decision", "chose one file per issue over a database"]);
 * ```
 */
export function extractObservations(
  summary: string,
  agent: string,
  issueNumber: number,
  sessionId: string,
  options: ExtractObservationsOptions = {},
): Observation[] {
  const recalled: string[] = [];
  const own = withoutRecall(redact(summary), recalled);
  const chosen = select(summaryCandidates(own), { recalled, limit: MAX_PER_CAPTURE });
  const session = { ...options, agent, issueNumber, sessionId };
  const timestampMs = sys.now();
  return chosen.flatMap((candidate) => observationsOf(candidate, timestampMs, session));
}

/**
 * Turns a recorded session into observations.
 *
 * @param transcript what {@linkcode readTranscript} read
 * @param options whose session it was
 * @returns at most 50, in the order in which they were said
 *
 * @example The word of a person is a decision
 * ```ts
 * import { extractFromTranscript, readTranscript } from "@agentx/toolkit/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const transcript = readTranscript("User: Never use a database, one JSON file is enough.\nAI: OK\n");
 * const whose = { agent: "engineer", issueNumber: 29, sessionId: "session-1" };
 * const [{ category, content }] = extractFromTranscript(transcript, whose);
 * assertEquals(category, "decision");
 * assertEquals(content, "Never use a database, one JSON file is enough.");
 * ```
 */
export function extractFromTranscript(
  transcript: Transcript,
  options: ExtractFromTranscriptOptions,
): Observation[] {
  const { messages, recalled } = transcript;
  const conclusions = conclusionsIn(messages);
  const redactor = createRedactor();
  let isAsked = false;
  let answer = "";
  const candidates = messages.flatMap((message, index): Candidate[] => {
    const clean = Object.fromEntries(
      (["text", "command", "document"] as const).flatMap((part) => {
        const written = message[part];
        return written === undefined ? [] : [[part, redactor(written).text]];
      }),
    );
    const isConclusion = conclusions.has(index);
    if (message.role === "user") {
      if (isEcho(message.text, answer)) return [];
      isAsked = QUESTION.test(message.text);
    } else if (message.role === "assistant") answer = message.text;
    return candidatesOf({ ...message, ...clean }, {
      message: index,
      isConclusion,
      isAnswer: isConclusion && isAsked,
      isReply: message.role === "user" && ASKED.test(answer),
    });
  });
  const limit = limitOf(messages, candidates, conclusions);
  const end = sys.now();
  return select(candidates, { recalled, limit }).flatMap((candidate) => {
    const { timestamp } = messages[candidate.message];
    const timestampMs = timestamp === undefined ? end : Date.parse(timestamp);
    const text = redactor(candidate.text).text; // what only a later message shows to be a secret
    return observationsOf({ ...candidate, text }, timestampMs, options);
  });
}

/** Whether a host gives back to the agent as a request what it had said itself. */
function isEcho(text: string, answer: string): boolean {
  if (text.length < SHORTEST_ECHO || answer.length < SHORTEST_ECHO) return false;
  const [request, said] = [text, answer].map((each) => each.trim().replace(/\s+/g, " "));
  return request.length >= SHORTEST_ECHO && said.includes(request);
}

function limitOf(
  messages: readonly TranscriptMessage[],
  candidates: readonly Candidate[],
  [lastAnswer]: ReadonlySet<number>,
): number {
  const said = messages.filter(({ role }) => role !== "tool");
  const length = said.reduce((sum, { text }) => sum + text.length, 0);
  const bySize = BASE_LIMIT + Math.ceil(
    said.length * LIMIT_PER_STATEMENT + (messages.length - said.length) * LIMIT_PER_RESULT +
      length / LENGTH_PER_ONE,
  );
  const inLastAnswer = candidates.filter(({ message }) => message === lastAnswer).length;
  return Math.max(bySize, inLastAnswer + BESIDE_LAST_ANSWER);
}

/** The agent's last words before a person speaks, and before the end; the last ones come first. */
function conclusionsIn(messages: readonly TranscriptMessage[]): Set<number> {
  const conclusions = new Set<number>();
  let isLast = true;
  for (let index = messages.length - 1; index >= 0; index--) {
    const { role, tool } = messages[index];
    const isReport = role === "system" || tool === "aider"; // aider reports after each answer
    if (isReport) continue;
    if (role === "assistant" && isLast) conclusions.add(index);
    isLast = role === "user";
  }
  return conclusions;
}

/** One, or none if nothing of it may stay. */
function observationsOf(
  { text, category }: Candidate,
  timestampMs: number,
  { agent, issueNumber, sessionId, folders = [] }: ExtractFromTranscriptOptions,
): Observation[] {
  const content = clip(withRelativePaths(text, folders));
  if (content === "") return [];
  return [newObservation({ agent, issueNumber, category, content, timestampMs, sessionId })];
}

/** Cuts between words: the first part of a word that is too long might tell what it was. */
function clip(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length <= MAX_CONTENT) return whole;
  return whole.slice(0, Math.max(0, whole.lastIndexOf(" ", MAX_CONTENT)));
}
