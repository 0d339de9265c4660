/**
 * Search over the observations: a query is read as plain words, or as words with signs, and answered
 * by one scorer; and lists of them, without ranking. Pure.
 *
 * @module
 */

import { DAY_MS } from "../../time.ts";
import { byTime, indexOf, type Observation, type ObservationIndex } from "../schema.ts";
import { type Question, rank } from "./bm25.ts";
import type { IndexView } from "./index_view.ts";
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

const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ");

/** A sign before a word, a known field, a star in a word, or a number after one: nothing else. */
const SIGNS =
  /(?:^|\s)[+-](?=[\p{L}\p{N}*])|(?:^|[\s+-])(?:content|agent|category|issue):\S|[\p{L}\p{N}]\*|\*[\p{L}\p{N}]|[\p{L}\p{N}][~^]\d/u;

/** Most queries have none, and the pattern above takes long to be made ready. */
const ANY_SIGN = /[-+:*~^]/;

/** Longer texts are what somebody works on, not a query that somebody wrote. */
const MAX_SIGNED = 200;

const ASCII = /^[\0-\x7f]*$/;

const DATE = /\b(\d{4})-(\d\d)(?:-(\d\d))?\b/;
const MONTH_AND_YEAR = new RegExp(String.raw`\b(${MONTHS.join("|")}),? (\d{4})\b`, "i");

/**
 * The observations that fit a query, the best first, and among equals the newest.
 *
 * @throws {AgentxError} `INVALID_INPUT` if words with signs stand for more than 5,000 others
 */
export async function searchObservations(
  text: string,
  view: IndexView,
  limit: number,
): Promise<ObservationHit[]> {
  const found = await findObservations(text, view, limit);
  return found.map(({ observation, score }) => ({ ...indexOf(observation), score }));
}

/** As {@linkcode searchObservations}, with all that the observations say. */
export async function findObservations(
  text: string,
  view: IndexView,
  limit: number,
): Promise<FoundObservation[]> {
  const question = await readSignedQuery(text, view) ?? readPlainQuery(text, view);
  const ranked = rank(view, question, limit);
  return ranked.map(({ document, score }) => ({
    observation: view.observationOf(document),
    score,
  }));
}

/** All that fits, or all of one issue that fits, the newest first. */
export function listObservations(
  matches: (entry: ObservationIndex) => boolean,
  view: IndexView,
  issueNumber?: number,
): ObservationIndex[] {
  const entries = view.all(issueNumber).map(indexOf);
  return entries.filter(matches).sort((a, b) => byTime(b, a));
}

/** Words with signs are read by a module of their own, which plain words do not wait for. */
async function readSignedQuery(text: string, view: IndexView): Promise<Question | undefined> {
  if (text.length > MAX_SIGNED || !ANY_SIGN.test(text) || !SIGNS.test(text)) return undefined;
  const { readSignedQuery } = await import("./signed_query.ts");
  return await readSignedQuery(text, view);
}

/** What plain words ask for: their terms, and besides whose observations, and of which time. */
function readPlainQuery(text: string, view: IndexView): Question {
  const words = ` ${wordsOf(text)} `;
  const names = new Set(view.segments.flatMap(({ nameList }) => nameList));
  const terms = [...new Set(termsOf(text))];
  return {
    terms: terms.map((term) => ({ postings: view.lookUp(term), boost: 1 })),
    agents: new Set([...names].filter((name) => words.includes(` ${wordsOf(name)} `))),
    time: timeIn(text),
  };
}

function wordsOf(text: string): string {
  const others = ASCII.test(text) ? /[^A-Za-z0-9@]+/g : /[^\p{L}\p{N}@]+/gu;
  return text.toLowerCase().replace(others, " ").trim();
}

function timeIn(text: string): Question["time"] {
  const date = DATE.exec(text);
  if (date !== null) return span(Number(date[1]), Number(date[2]) - 1, date[3]);
  const month = MONTH_AND_YEAR.exec(text);
  if (month === null) return undefined;
  return span(Number(month[2]), MONTHS.indexOf(month[1].toLowerCase()), undefined);
}

function span(year: number, month: number, day: string | undefined): Question["time"] {
  const fromMs = Date.UTC(year, month, Number(day ?? 1));
  const toMs = day === undefined ? Date.UTC(year, month + 1, 1) : fromMs + DAY_MS;
  return { fromMs, toMs };
}
