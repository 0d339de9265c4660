/**
 * Search over the observations: a query is read as plain words, or as words with signs, and answered
 * by one scorer; and lists of them, without ranking. Pure.
 *
 * @module
 */

import { byTime, indexOf, type Observation, type ObservationIndex } from "../schema.ts";
import { type Question, rank, type Ranked } from "./bm25.ts";
import type { Matcher } from "./filters.ts";
import type { IndexView } from "./index_view.ts";
import type { Postings } from "./records.ts";
import { termsOf } from "./tokens.ts";

/** What a search found. */
export interface ObservationHit extends ObservationIndex {
  /** How well it matches: more is better, and only within one search. */
  score: number;
}

/** An observation that a search found, and how well it matches. */
export interface FoundObservation {
  /** All that it says. */
  observation: Observation;
  /** More is better, and only within one search. */
  score: number;
}

/** Most observations of other issues that a session is told of (SPEC-AgentX section 2.3). */
export const MAX_HITS = 50;

/** Most queries have none, and the patterns that tell which are meant take long to be made ready. */
const ANY_SIGN = /(?:^|\s)[-+]|[:*~^]/;

const ASCII = /^[\0-\x7f]*$/;

/** The first two words, where they are of plain letters. */
const OPENING = /^\s*([A-Za-z]+)(?: ([A-Za-z]+))?\b/;

/** What begins with one of these is a sentence: it asks with more words than its answer has. */
const QUESTION_WORDS = new Set("who whom whose what when where why which how".split(" "));

/** With these, and with what may stand before, English questions begin. */
const AUXILIARIES = new Set(
  "are can could did do does had has have is should was were would".split(" "),
);
const PREPOSITIONS = new Set("at for from in on with".split(" "));

/** Most questions have none of it. */
const MAY_NAME_DATE = /\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;

/** What somebody shared may stand behind it, in brackets. */
const ENDS_AS_QUESTION = /\?\s*(?:\[[^\]]*\]\s*)?$/;

/** What a question counts as an answer to another one. */
const QUESTION_SHARE = 0.9;

/** The part that a change is of, before what is done: `docs: fix a link`; all that is about it is. */
const COMPONENT = /^\s*[^\s:]+(?: [^\s:]+){0,2}:\s/;
const COMPONENT_WEIGHT = 0.8;

/** A word that is written as a name; of the first one nobody can tell. */
const NAME = /(?<=[\p{L}\p{N},'")`]\s+["'(`]?)\p{Lu}\p{L}+/gu;

/** The weight of a name or a date as words: those who are named rarely say their own name. */
const ASIDE_WEIGHT = 0.3;

/**
 * The observations that fit a query, the best first, and among equals the newest.
 *
 * @param matches which of them are looked for, if not all: they are chosen before the best are
 * @throws {AgentxError} `INVALID_INPUT` if words with signs stand for more than 5,000 others
 */
export async function searchObservations(
  text: string,
  view: IndexView,
  limit: number,
  matches?: Matcher,
): Promise<ObservationHit[]> {
  return Array.from(await findHits(text, view, limit, matches));
}

/** As {@linkcode searchObservations}; each is read when it is asked for. */
export async function findHits(
  text: string,
  view: IndexView,
  limit: number,
  matches?: Matcher,
): Promise<Iterable<ObservationHit>> {
  const found = await find(text, view, limit, matches);
  return function* () {
    for (const { observation, score } of found) yield { ...indexOf(observation), score };
  }();
}

/** As {@linkcode searchObservations}, with all that the observations say. */
export async function findObservations(
  text: string,
  view: IndexView,
  limit: number,
  matches?: Matcher,
): Promise<FoundObservation[]> {
  return Array.from(await find(text, view, limit, matches));
}

async function find(
  text: string,
  view: IndexView,
  limit: number,
  matches?: Matcher,
): Promise<Iterable<FoundObservation>> {
  const { ranked, isSentence } = await findDocuments(text, view, limit, matches);
  const found = observationsOf(ranked, view);
  return isSentence ? withQuestionsLater(found) : found;
}

/** The documents that fit a query, the best first, and whether it is a sentence. */
export async function findDocuments(
  text: string,
  view: IndexView,
  limit: number,
  matches?: Matcher,
): Promise<{ ranked: Ranked[]; isSentence?: boolean }> {
  const question = await readSignedQuery(text, view) ?? await readPlainQuery(text, view);
  const ranked = rank(view, { ...question, matches }, limit);
  return { ranked, isSentence: question.isSentence };
}

function* observationsOf(ranked: readonly Ranked[], view: IndexView): Iterable<FoundObservation> {
  for (const { document, score } of ranked) {
    yield { observation: view.observationOf(document), score };
  }
}

/** Who asks does not want to hear another question: it waits until what comes next is worth less. */
function* withQuestionsLater(found: Iterable<FoundObservation>): Iterable<FoundObservation> {
  const waiting: FoundObservation[] = [];
  for (const each of found) {
    while (waiting.length > 0 && waiting[0].score >= each.score) yield waiting.shift()!;
    if (ENDS_AS_QUESTION.test(each.observation.content)) {
      waiting.push({ ...each, score: each.score * QUESTION_SHARE });
    } else yield each;
  }
  yield* waiting;
}

/** All that fits, or all of one issue that fits, the newest first. */
export function listObservations(
  matches: Matcher,
  view: IndexView,
  issueNumber?: number,
): ObservationIndex[] {
  const fitting = view.documents(issueNumber)
    .filter((document) => matches(view.filteredAt(document)));
  return view.observationsOf(fitting).map(indexOf).sort((a, b) => byTime(b, a));
}

/** Words with signs are read by a module of their own, which plain words do not wait for. */
async function readSignedQuery(text: string, view: IndexView): Promise<Question | undefined> {
  if (!ANY_SIGN.test(text)) return undefined;
  const { withMeantSigns } = await import("./signs.ts");
  const signed = withMeantSigns(text);
  if (signed === undefined) return undefined;
  const { readSignedQuery } = await import("./signed_query.ts");
  return await readSignedQuery(signed, view);
}

/** Whether something is asked in a sentence; otherwise the words are those that are looked for. */
export function isSentence(text: string): boolean {
  return text.trimEnd().endsWith("?") || QUESTION_WORDS.has(openingOf(text)[0]);
}

/** What plain words ask for: their terms, and besides whose observations, and of which time. */
async function readPlainQuery(text: string, view: IndexView): Promise<Question> {
  const words = ` ${wordsOf(text)} `;
  const names = new Set(view.segments.flatMap(({ nameList }) => nameList));
  const agents = [...names].filter((name) =>
    words.includes(` ${wordsOf(name)} `) && view.segments.some((segment) => segment.hasAgent(name))
  );
  const date = await readDate(text);
  const aside = new Set([...agents, date?.text ?? ""].flatMap((name) => termsOf(name)));
  const component = componentOf(text);
  const asked = new Map([...new Set(termsOf(text))].map((term) => [term, view.lookUp(term)]));
  const terms = Array.from(asked, ([term, postings]) => ({
    postings,
    boost: aside.has(term) ? ASIDE_WEIGHT : component.has(term) ? COMPONENT_WEIGHT : 1,
  }));
  return {
    terms,
    agents: new Set(agents),
    timeWeight: date?.weight,
    isSentence: isSentence(text),
    namesUnknown: agents.length === 0 && namesUnknown(text, asked),
  };
}

async function readDate(
  text: string,
): Promise<{ text: string; weight: (timeMs: number) => number } | undefined> {
  if (!MAY_NAME_DATE.test(text)) return undefined;
  const { dateWeight, readDate } = await import("./dates.ts");
  const date = readDate(text);
  return date && { text: date.text, weight: (timeMs) => dateWeight(date, timeMs) };
}

/** The terms of the part that a change is of which are not said again. */
function componentOf(text: string): ReadonlySet<string> {
  const [component = ""] = COMPONENT.exec(text) ?? [];
  const terms = new Set(termsOf(component));
  if (terms.size > 0) {
    for (const term of termsOf(text.slice(component.length))) {
      terms.delete(term);
    }
  }
  return terms;
}

/** Whether a question names somebody or something that no observation does. */
function namesUnknown(text: string, asked: ReadonlyMap<string, Postings>): boolean {
  if (!isEnglishQuestion(text)) return false;
  return (text.match(NAME) ?? []).some((name) => {
    const parts = termsOf(name);
    return parts.length > 0 && parts.every((part) => asked.get(part)?.documents.length === 0);
  });
}

/** In other languages, other words begin as names do. */
function isEnglishQuestion(text: string): boolean {
  const [first, second] = openingOf(text);
  const word = PREPOSITIONS.has(first) ? second : first;
  return QUESTION_WORDS.has(word) || AUXILIARIES.has(word);
}

function openingOf(text: string): string[] {
  return (OPENING.exec(text)?.slice(1) ?? []).map((word = "") => word.toLowerCase());
}

function wordsOf(text: string): string {
  const others = ASCII.test(text) ? /[^A-Za-z0-9@]+/g : /[^\p{L}\p{N}@]+/gu;
  return text.toLowerCase().replace(others, " ").trim();
}
