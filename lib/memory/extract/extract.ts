// Finds the few things in a session that are worth telling in the next one: the agent's report at the end of each turn
// that changed files, word for word, and decisions that a person or the agent put into words. A session that settled
// nothing yields nothing. Parts that the agent noted itself are skipped.

import { createRedactor, redact } from "../../redact/redact.ts";
import { sys } from "../../sys/mod.ts";
import { withoutRecall } from "../../transcripts/own_recall.ts";
import type { Transcript, TranscriptMessage } from "../../transcripts/transcript.ts";
import { MAX_CONTENT, MAX_PER_CAPTURE, newObservation, type Observation } from "../schema.ts";
import { type Candidate, select } from "./select.ts";
import { withRelativePaths } from "../note.ts";
import { isReport, reportIn } from "./report.ts";
import { decisionsIn, explanationsIn, isForeign, statementsIn } from "./statements.ts";
import { toolCallOf } from "./tool_calls.ts";
import { summaryCandidates } from "./summary.ts";

/** Options of {@linkcode extractObservations}. */
export interface ExtractObservationsOptions {
  /** Folders of the repository: paths in them are written relative to it. */
  folders?: readonly string[];
}

/** The session of a transcript. */
export interface ExtractFromTranscriptOptions extends ExtractObservationsOptions {
  /** The agent, also a worker: `engineer@2`. */
  agent: string;
  /** The issue it worked on; 0 is the project. */
  issueNumber: number;
  /** The session, as the observations will name it. */
  sessionId: string;
}

/** Maximum number of observations from a session. */
const MOST = 8;

/** The kinds of statement, each with its category; the heavier ones stay if there are too many. */
const PERSON = { source: "person", category: "decision", weight: 3 } as const;
const DECISION = { source: "agent", category: "decision", weight: 2 } as const;
const REPORT = { source: "report", category: "code-change", weight: 1 } as const;
const EXPLANATION = { source: "agent", category: "key-fact", weight: 0 } as const;

/**
 * Maximum number of closing messages to search. After its report, an agent may still run tests and commit, and comment
 * on each.
 */
const MOST_CLOSING = 3;

/** Minimum length of an echo: a person may repeat a sentence of the agent, but not a whole message. */
const SHORTEST_ECHO = 200;

const THANKS =
  /^(?:perfect|great|thanks?|thank you|nice|cool|awesome|you're welcome|ok(?:ay)?|good)\b[^.!]{0,40}(?:[.!]+\s*(?:let me know|happy to|glad)\b[^]{0,80})?[.!\s]*$/i;

/** Matches the first words of a dissatisfied person. */
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
 * @returns at most eight observations, in their order in the session, without secrets
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
  const end = sys.now();
  return select(candidatesIn(messages), { recalled, limit: MOST }).flatMap((candidate) => {
    const { timestamp } = messages[candidate.message];
    const timestampMs = timestamp === undefined ? end : Date.parse(timestamp);
    const text = redactor(candidate.text).text; // a later message may reveal that a text is a secret
    return observationsOf({ ...candidate, text }, timestampMs, options);
  });
}

/** Returns every statement of a message that calls itself a decision, without secrets. */
export function decisionsOf(message: string, folders: readonly string[]): string[] {
  return decisionsIn(withRelativePaths(redact(message), folders), { readLists: true });
}

/**
 * Returns the messages after the turn of the last note. An agent that takes notes makes its own choice: from the
 * earlier messages, the rules would repeat half of the notes and add little that is true
 * (`tests/memory/sessions/judged`).
 */
function afterNotes(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const noted = messages.findLastIndex(({ isNote }) => isNote);
  const next = messages.findIndex(({ role }, at) => at > noted && role === "user");
  return noted < 0 ? messages : next < 0 ? [] : messages.slice(next);
}

/** Words and work from one request to the next. */
interface Turn {
  /** The message of the person, if one began it. */
  request?: number;
  /** Indexes of the agent's messages. */
  said: number[];
  /** Number of these messages before the last change of a file. */
  saidBefore: number;
  isWork: boolean;
  answers: { text: string; message: number }[];
}

function turnsIn(messages: readonly TranscriptMessage[]): Turn[] {
  const begin = (request?: number): Turn => ({
    request,
    said: [],
    saidBefore: 0,
    isWork: false,
    answers: [],
  });
  const turns = [begin()];
  withoutThanks(messages).forEach((message, index) => {
    const turn = turns.at(-1)!;
    const last = turn.said.at(-1);
    if (message.role === "assistant") turn.said.push(index);
    else if (message.role === "tool") {
      const { isChange, isCommit, answer } = toolCallOf(message);
      turn.isWork ||= isChange || isCommit;
      if (isChange) turn.saidBefore = turn.said.length;
      if (answer !== undefined) turn.answers.push({ text: answer, message: index });
    } else if (message.role === "user") {
      const isAgain = last !== undefined && isEcho(message.text, messages[last].text);
      if (!isAgain) turns.push(begin(index));
    }
  });
  return turns;
}

/** Returns all statements that may be kept. */
function candidatesIn(messages: readonly TranscriptMessage[]): Candidate[] {
  const turns = turnsIn(messages);
  const isOnRecord = messages.some(({ role }) => role === "tool");
  const textAt = (index: number) => messages[index].text;
  return turns.flatMap((turn, at): Candidate[] => {
    const { request, said, saidBefore, isWork, answers } = turn;
    const next = turns[at + 1]?.request;
    const asked = [
      ...(request === undefined ? [] : statementsIn(textAt(request)))
        .map((text) => ({ text, message: request! })),
      ...answers.filter(({ text }) => !isForeign(text)),
    ];
    // A report does not hold if the person objects to it. A reply in another language counts as an objection, because
    // the rules cannot read it.
    const isRefused = next !== undefined &&
      (OBJECTS.test(textAt(next)) || isForeign(textAt(next)));
    const own = isRefused ? [] : said;
    const closing = own.slice(Math.min(saidBefore, own.length - 1)).slice(-MOST_CLOSING);
    const report = closing.map((message) => ({ text: reportIn(textAt(message)), message }))
      .findLast(({ text, message }) =>
        text !== "" && (isWork || (!isOnRecord && isReport(textAt(message))))
      );
    const explained = report === undefined ? closing : [];
    const decided = own
      .flatMap((message) => decisionsIn(textAt(message)).map((text) => ({ text, message })))
      .filter(({ text }) => !report?.text.includes(text));
    return [
      ...asked.map((each) => ({ ...each, ...PERSON })),
      ...decided.map((each) => ({ ...each, ...DECISION })),
      ...explained.flatMap((message) =>
        explanationsIn(textAt(message)).map((text) => ({ text, message, ...EXPLANATION }))
      ),
      ...(report === undefined ? [] : [{ ...report, ...REPORT }]),
    ];
  });
}

/** Drops thanks, and replies to thanks, from the end of the messages. */
function withoutThanks(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const isPolite = ({ role, text }: TranscriptMessage) =>
    role === "system" ||
    (role !== "tool" && text.length < SHORTEST_ECHO && THANKS.test(text.trim()));
  return messages.slice(0, messages.findLastIndex((message) => !isPolite(message)) + 1);
}

/** Whether a host gives the agent's own words back to it as a request. */
function isEcho(text: string, answer: string): boolean {
  if (text.length < SHORTEST_ECHO || answer.length < SHORTEST_ECHO) return false;
  const [request, said] = [text, answer].map((each) => each.trim().replace(/\s+/g, " "));
  return request.length >= SHORTEST_ECHO && said.includes(request);
}

/** Returns one observation, or none if no text is left. */
function observationsOf(
  { text, category, source }: Candidate,
  timestampMs: number,
  { agent, issueNumber, sessionId, folders = [] }: ExtractFromTranscriptOptions,
): Observation[] {
  const content = clip(withRelativePaths(text, folders));
  if (content === "") return [];
  const made = newObservation({ agent, issueNumber, category, content, timestampMs, sessionId });
  return [source === undefined ? made : { ...made, source }];
}

/** Cuts between words: the first part of a cut word might reveal it. */
function clip(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length <= MAX_CONTENT) return whole;
  return whole.slice(0, Math.max(0, whole.lastIndexOf(" ", MAX_CONTENT)));
}
