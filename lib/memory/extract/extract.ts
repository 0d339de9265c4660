// Finds the few things in a session that are worth telling in the next one: what its closing messages
// report, what a person decided, errors with the call that ended them, commits. Rules prefer silence: a
// session in which nothing was settled leaves nothing, nor does what its agent noted itself.

import { createRedactor, redact } from "../../redact/redact.ts";
import { sys } from "../../sys/mod.ts";
import { withoutRecall } from "../../transcripts/own_recall.ts";
import type { Transcript, TranscriptMessage } from "../../transcripts/transcript.ts";
import { MAX_CONTENT, MAX_PER_CAPTURE, newObservation, type Observation } from "../schema.ts";
import { type Candidate, select } from "./select.ts";
import { callCandidates, type ToolCall, toolCallOf } from "./tool_calls.ts";
import { personCandidates } from "./person_statements.ts";
import { withRelativePaths } from "../note.ts";
import { isReport, reportCandidates, type ReportPlace } from "./closing_report.ts";
import { blocksOf } from "./blocks.ts";
import { kindOf } from "./kind.ts";
import { sentencesOf } from "./sentences.ts";
import { summaryCandidates } from "./summary.ts";

/** Options of {@linkcode extractObservations}. */
export interface ExtractObservationsOptions {
  /** Folders of the repository: paths in them are written relative to it. */
  folders?: readonly string[];
}

/** Whose session it was. */
export interface ExtractFromTranscriptOptions extends ExtractObservationsOptions {
  /** The agent, also a worker: `engineer@2`. */
  agent: string;
  /** The issue it worked on; 0 is the project. */
  issueNumber: number;
  /** The session, as the observations will name it. */
  sessionId: string;
}

/** Most observations of a session, and how many a session of one report leaves. */
const MOST = 8;
const FIRST_REPORT = 5;

/** A person may well repeat a sentence of the agent, but not a message. */
const SHORTEST_ECHO = 200;

const THANKS =
  /^(?:perfect|great|thanks?|thank you|nice|cool|awesome|you're welcome|ok(?:ay)?|good)\b[^.!]{0,40}(?:[.!]+\s*(?:let me know|happy to|glad)\b[^]{0,80})?[.!\s]*$/i;

/** How a person begins who is not content with what was done. */
const OBJECTS =
  /^\W*(?:(?:ok(?:ay)?|hm+|well|wait|and|yeah)[,.!]? )*(?:but\b|no\b|nope|wrong|still\b|actually\b|why (?:don't|aren't|isn't|not|are you|is it still)|that's (?:not|wrong)|this (?:is not|isn't|looks)|(?:it|this|that)? ?(?:does|did|is)(?:n't| not)|not (?:working|what)|revert|undo|instead|don't\b|remove (?:that|this|the)|.{0,40}\b(?:doesn't|does not|don't|isn't) (?:actually )?(?:work|make sense|help)|.{0,40}\bmakes? no sense|.{0,60}\bI doubt\b)/i;

/**
 * Reads a summary in the form of SPEC-AgentX section 2.2, or any text in markdown.
 *
 * @returns at most 50 observations, without secrets
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
 * Reads a recorded session.
 *
 * @returns at most eight observations, in the order in which they were said, without secrets
 */
export function extractFromTranscript(
  transcript: Transcript,
  options: ExtractFromTranscriptOptions,
): Observation[] {
  const { recalled } = transcript;
  const redactor = createRedactor();
  const messages = afterNotes(transcript.messages.map((message) => ({
    ...message,
    text: redactor(message.text).text,
    ...(message.command === undefined ? {} : { command: redactor(message.command).text }),
  })));
  const { candidates, reports } = candidatesIn(messages);
  const limit = Math.min(MOST, FIRST_REPORT + Math.max(0, reports - 1));
  const end = sys.now();
  return select(candidates, { recalled, limit }).flatMap((candidate) => {
    const { timestamp } = messages[candidate.message];
    const timestampMs = timestamp === undefined ? end : Date.parse(timestamp);
    const text = redactor(candidate.text).text; // what only a later message shows to be a secret
    return observationsOf({ ...candidate, text }, timestampMs, options);
  });
}

/** Finds every decision in a message, a sentence or an item each, without secrets. */
export function decisionsIn(message: string, folders: readonly string[]): string[] {
  const own = withRelativePaths(redact(message), folders);
  let isListed = false;
  return Array.from(blocksOf(own, { readQuotes: false })).flatMap(({ kind, text }) => {
    if (kind === "heading") isListed = /\bdecisions?\b/i.test(text);
    if (kind === "heading") return [];
    return isListed ? [text] : sentencesOf(text).filter((one) => kindOf(one) === "decision");
  });
}

/**
 * An agent that noted something chose what is worth it: of what came before, in the same turn too, the rules
 * would repeat half and add little that is true (`tests/memory/sessions/judged`).
 */
function afterNotes(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const noted = messages.findLastIndex(({ isNote }) => isNote);
  const next = messages.findIndex(({ role }, at) => at > noted && role === "user");
  return noted < 0 ? messages : next < 0 ? [] : messages.slice(next);
}

/** All that may be kept, and how many messages report something. */
function candidatesIn(
  messages: readonly TranscriptMessage[],
): { candidates: Candidate[]; reports: number } {
  const candidates: Candidate[] = [];
  const calls: ToolCall[] = [];
  const answers: Omit<ReportPlace, "later">[] = [];
  let answer = -1;
  let isWork = false;
  const close = (next?: string) => {
    const isRefused = next !== undefined && OBJECTS.test(next);
    const isLast = next === undefined;
    if (answer >= 0) answers.push({ message: answer, isWork, isLast, isRefused });
    [answer, isWork] = [-1, false];
  };
  withoutThanks(messages).forEach((message, index) => {
    const { role, text } = message;
    if (role === "assistant") answer = index;
    else if (role === "tool") {
      const call = toolCallOf(message, index);
      if (call === undefined) return;
      calls.push(call);
      isWork ||= call.isChange || call.commit !== undefined;
    } else if (role === "user") {
      if (answer >= 0 && isEcho(text, messages[answer].text)) return;
      close(text);
      candidates.push(...personCandidates(text, index));
    }
  });
  close();
  const isOnRecord = answers.some((each) => each.isWork);
  const textOf = ({ message }: { message: number }) => messages[message].text;
  const told = answers.map((place) => ({
    place,
    isDone: isOnRecord ? place.isWork : isReport(textOf(place)),
  }));
  const done = told.findLastIndex(({ isDone }) => isDone);
  // What was found before the work was done is mended or overtaken by it.
  const standing = told.filter(({ isDone }, at) => isDone || at > done);
  const reports = standing.map(({ place, isDone }, at) => {
    const later = standing.slice(at + 1).map((each) => textOf(each.place)).join("\n");
    return reportCandidates(textOf(place), { ...place, later }, isDone);
  })
    .filter((found) => found.length > 0);
  candidates.push(...reports.flat(), ...callCandidates(calls, reports.length > 0));
  return { candidates, reports: reports.length };
}

/** Without thanks and their answer at the end. */
function withoutThanks(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const isPolite = ({ role, text }: TranscriptMessage) =>
    role === "system" ||
    (role !== "tool" && text.length < SHORTEST_ECHO && THANKS.test(text.trim()));
  return messages.slice(0, messages.findLastIndex((message) => !isPolite(message)) + 1);
}

/** Whether a host gives back to the agent as a request what it had said itself. */
function isEcho(text: string, answer: string): boolean {
  if (text.length < SHORTEST_ECHO || answer.length < SHORTEST_ECHO) return false;
  const [request, said] = [text, answer].map((each) => each.trim().replace(/\s+/g, " "));
  return request.length >= SHORTEST_ECHO && said.includes(request);
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
