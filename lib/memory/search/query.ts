/**
 * What a question asks for, besides its words: whose observations, and of which time. Pure.
 *
 * @module
 */

import { DAY_MS } from "../../time.ts";
import { termsOf } from "./tokens.ts";

/** A question, taken apart. */
export interface PlainQuery {
  /** Its terms, each once. */
  terms: string[];
  /** The agents that it names. */
  agents: ReadonlySet<string>;
  /** The time that it names, milliseconds since the epoch; the end is not part of it. */
  time: { fromMs: number; toMs: number } | undefined;
}

const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ");

const DATE = /\b(\d{4})-(\d\d)(?:-(\d\d))?\b/;
const MONTH_AND_YEAR = new RegExp(String.raw`\b(${MONTHS.join("|")}),? (\d{4})\b`, "i");

/**
 * @param text what somebody asks
 * @param agents the agents whose observations there are
 * @returns the question
 */
export function readQuery(text: string, agents: Iterable<string>): PlainQuery {
  const words = ` ${wordsOf(text)} `;
  const named = [...agents].filter((agent) => words.includes(` ${wordsOf(agent)} `));
  return { terms: [...new Set(termsOf(text))], agents: new Set(named), time: timeIn(text) };
}

function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}@]+/gu, " ").trim();
}

function timeIn(text: string): PlainQuery["time"] {
  const date = DATE.exec(text);
  if (date !== null) return span(Number(date[1]), Number(date[2]) - 1, date[3]);
  const month = MONTH_AND_YEAR.exec(text);
  if (month === null) return undefined;
  return span(Number(month[2]), MONTHS.indexOf(month[1].toLowerCase()), undefined);
}

function span(year: number, month: number, day: string | undefined): PlainQuery["time"] {
  const fromMs = Date.UTC(year, month, Number(day ?? 1));
  const toMs = day === undefined ? Date.UTC(year, month + 1, 1) : fromMs + DAY_MS;
  return { fromMs, toMs };
}
