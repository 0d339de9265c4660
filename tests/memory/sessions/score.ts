/**
 * Judges rules that turn sessions into observations, by the labels beside the sessions.
 *
 * A fact is found if an observation contains one of its fragments, or, with at least 25 characters, is
 * contained in one. Texts are compared in lower case, without `*`, `_` and backticks, blanks folded. An
 * observation may carry several facts, a fact may be carried by several observations. The precision of the
 * category is taken over the observations that carry a fact: what is neither labelled nor junk is not judged.
 *
 * @module
 */

import { type JunkReason, junkReason } from "./junk.ts";
import type { FactCategory, LabelledSession } from "./sessions.ts";

/** One observation, as far as it is judged. */
export interface Extracted {
  category: string;
  content: string;
}

/** The rules under judgement: the file's name with its extension, and what is in it. */
export type Extract = (fileName: string, text: string) => Extracted[];

/** Counts of a session, or of several together. */
export interface Score {
  /** Labelled facts, and how many of them were found. */
  facts: number;
  found: number;
  /** The same by category. */
  byCategory: Record<FactCategory, { facts: number; found: number }>;
  /** Observations, and the characters in them: whole messages find everything and tell nothing. */
  items: number;
  characters: number;
  /** Observations that carry a fact, and how many of them have the category of a fact they carry. */
  carrying: number;
  rightCategory: number;
  /** Observations nobody wants to read, and why. */
  junk: number;
  junkReasons: Partial<Record<JunkReason, number>>;
}

/** The score of a session, with what to look at. */
export interface SessionScore extends Score {
  name: string;
  tool: string;
  /** Facts that were not found. */
  missed: string[];
  /** Junk that was extracted. */
  junkItems: { reason: JunkReason; content: string }[];
}

/** Shortest observation that counts as part of a fragment. */
const MIN_PART = 25;

/**
 * @param sessions which sessions
 * @param extract the rules
 * @returns the score of each, and of all together
 */
export function scoreSessions(
  sessions: LabelledSession[],
  extract: Extract,
): { sessions: SessionScore[]; total: Score } {
  const scores = sessions.map((session) =>
    scoreSession(session, extract(session.name, session.text))
  );
  const total = emptyScore();
  for (const score of scores) addScore(total, score);
  return { sessions: scores, total };
}

/**
 * @param session a session
 * @param items what was extracted from it
 * @returns its score
 */
export function scoreSession(session: LabelledSession, items: Extracted[]): SessionScore {
  const score: SessionScore = {
    ...emptyScore(),
    name: session.name,
    tool: session.tool,
    missed: [],
    junkItems: [],
    items: items.length,
    characters: items.reduce((sum, { content }) => sum + content.length, 0),
  };
  const contents = items.map((item) => normalise(item.content));
  const carried: Set<string>[] = items.map(() => new Set());
  for (const fact of session.facts) {
    const fragments = [fact.text, ...fact.any ?? []].map(normalise);
    let found = false;
    contents.forEach((content, index) => {
      if (!fragments.some((fragment) => carries(content, fragment))) return;
      carried[index].add(fact.category);
      found = true;
    });
    score.facts += 1;
    score.byCategory[fact.category].facts += 1;
    if (found) {
      score.found += 1;
      score.byCategory[fact.category].found += 1;
    } else score.missed.push(fact.text);
  }
  items.forEach((item, index) => {
    if (carried[index].size > 0) score.carrying += 1;
    if (carried[index].has(item.category)) score.rightCategory += 1;
    const reason = junkReason(item.content, session.junk);
    if (reason === null) return;
    score.junk += 1;
    score.junkReasons[reason] = (score.junkReasons[reason] ?? 0) + 1;
    score.junkItems.push({ reason, content: item.content });
  });
  return score;
}

/**
 * @param result what {@linkcode scoreSessions} returned
 * @returns a table for people
 */
export function renderScores(result: { sessions: SessionScore[]; total: Score }): string {
  const rows = [...result.sessions, { ...result.total, name: "all", tool: "" }].map((score) =>
    [
      score.name.padEnd(44),
      `${score.found}/${score.facts}`.padStart(8),
      percent(score.found, score.facts),
      String(score.items).padStart(6),
      percent(score.junk, score.items),
      percent(score.rightCategory, score.carrying),
    ].join(" ")
  );
  const categories = Object.entries(result.total.byCategory)
    .map(([name, { facts, found }]) => `${name} ${percent(found, facts).trim()} of ${facts}`);
  const count = Math.max(1, result.sessions.length);
  return [
    `${"session".padEnd(44)}    found recall  items   junk category`,
    ...rows,
    `recall by category: ${categories.join(", ")}`,
    `items per session: ${(result.total.items / count).toFixed(1)}, ` +
    `${(result.total.characters / Math.max(1, result.total.items)).toFixed(0)} characters each`,
    `junk: ${JSON.stringify(result.total.junkReasons)}`,
  ].join("\n");
}

/**
 * @param text any text
 * @returns the text as fragments are compared
 */
export function normalise(text: string): string {
  return text.toLowerCase().replace(/[*_`]/g, "").replace(/\s+/gu, " ").trim();
}

function carries(content: string, fragment: string): boolean {
  if (content.includes(fragment)) return true;
  return content.length >= MIN_PART && fragment.includes(content);
}

function emptyScore(): Score {
  return {
    facts: 0,
    found: 0,
    byCategory: {
      decision: { facts: 0, found: 0 },
      "code-change": { facts: 0, found: 0 },
      error: { facts: 0, found: 0 },
      "key-fact": { facts: 0, found: 0 },
    },
    items: 0,
    characters: 0,
    carrying: 0,
    rightCategory: 0,
    junk: 0,
    junkReasons: {},
  };
}

function addScore(total: Score, score: Score): void {
  const counts = [
    "facts",
    "found",
    "items",
    "characters",
    "carrying",
    "rightCategory",
    "junk",
  ] as const;
  for (const key of counts) total[key] += score[key];
  for (const category of Object.keys(total.byCategory) as FactCategory[]) {
    total.byCategory[category].facts += score.byCategory[category].facts;
    total.byCategory[category].found += score.byCategory[category].found;
  }
  for (const [reason, count] of Object.entries(score.junkReasons) as [JunkReason, number][]) {
    total.junkReasons[reason] = (total.junkReasons[reason] ?? 0) + count;
  }
}

function percent(part: number, whole: number): string {
  return (whole === 0 ? "-" : `${(100 * part / whole).toFixed(1)}%`).padStart(6);
}
