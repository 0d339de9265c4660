// Compares a later statement with an earlier one. The later one may say the same, or replace the earlier one by giving
// another number, version, name or negation for the same subject; or the relation is unsure. Pure.

import { byTimestamp, type Observation } from "./schema.ts";
import { stem } from "./index/stem.ts";

/** The relation of the later of two statements to the earlier one. */
export type Relation = "same" | "replaced" | "unsure" | "other";

/** A statement in the form that is compared. */
export interface ComparedStatement {
  /** The words in lower case, in order, without punctuation. */
  tokens: readonly string[];
  /** The same words as they were written. */
  written: readonly string[];
  /** The subject: stems, without numbers and stop words. */
  subject: ReadonlySet<string>;
  /** Files, identifiers and options that the statement names. */
  names: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Number of negations. */
  negations: number;
}

const STOP = new Set(
  ("a an and are as at be been but by can do does don't doesn't for from go goes has have i if in instead into is " +
    "isn't it its just keep keeps longer more any must never always no not now of on only or please rather should so " +
    "than that the then there these they this to use used uses using was we were which will with without you actually")
    .split(" "),
);

const NEGATION = /^(?:not|no|never|without|cannot|\w+n't|disabled|off|false)$/;

/** Matches a negation or an affirmation. */
const TURN = new RegExp(`${NEGATION.source}|^(?:enabled|true)$`);

const NUMBER =
  /^(?:[$#v]?\d[\w.,:%-]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred)$/;

const NAME = /[._/\\-]|--|^\w+\d/;

/** Matches a word before a number that is a label: in `step 3`, the number is not a value. */
const NUMBERED =
  /^(?:step|part|phase|stage|issue|pr|line|chapter|test|case|table|figure|week|item|section|message|question|#)$/;

/** Whether a state follows the word. A thing is in one state only, so another state replaces the earlier one. */
const isState = (token: string): boolean =>
  /^(?:is|are|be|was|were|has|have|holds?|makes?|use|uses|using|runs?|stays?|lives?|needs?|requires?|defaults?|called|keeps?|kept|stor(?:e|es|ed)|go|goes|follows?|writes?|reads?|set|pinned|takes?|targets?|must|should|will|always|never)$/
    .test(token);

/** Matches a word before a quantity, including verbs that end in s. */
const MEASURE = /^(?:at|for|than|after|every|within|under|over|least|most|max|limit|\w+[^su]s)$/;

/** Matches a preposition that may begin a label: a number after it and a noun may say which thing is meant. */
const WHICH = /^(?:of|for|in)$/;

/** Matches a written word that looks like a name, so that another name may replace it. */
const VALUE = /^(?:[A-Z]|\w+[A-Z])|[._/\\-]/;

/** Matches a word before a place or a name. */
const PLACE = /^(?:in|on|at|to|from|with|called|by|under|schema|named?)$/;

/** Matches a word that rejects the value after it, such as `not` or `instead of`. */
const CORRECTS = /^(?:not|instead|than|longer|from|replaces?|replaced|dropped|removed|over)$/;

/** Two statements say the same if they have this share of the smaller subject in common. */
const SAME = 0.8;

/** Minimum number of words in common for two statements to have the same subject. */
const LEAST_COMMON = 2;

/** Maximum number of words in a value that differs. */
const LONGEST_VALUE = 3;

/** Reads a statement into the form that is compared. */
export function claimOf(text: string): ComparedStatement {
  const written = (text.replace(/[\u2018\u2019]/g, "'").match(/[^\s"`*()[\]{}<>,;!?]+/g) ?? [])
    .map((token) => token.replace(/[.:'_-]+$|^(?:[:'_+~]+|-(?=\w))/g, ""))
    .filter((token) => /[\p{L}\p{N}]/u.test(token));
  const tokens = written.map((token) => token.toLowerCase());
  const telling = tokens.filter((token) => !STOP.has(token) && !NUMBER.test(token));
  return {
    tokens,
    written,
    subject: new Set(telling.map(stem)),
    names: new Set(telling.filter((token) => NAME.test(token))),
    numbers: new Set(tokens.filter((token) => NUMBER.test(token))),
    negations: tokens.filter((token) => NEGATION.test(token)).length,
  };
}

/** Compares a statement with an earlier one. */
export function relationOf(later: ComparedStatement, earlier: ComparedStatement): Relation {
  const common = count(later.subject, earlier.subject);
  if (common === 0) return "other";
  const slot = slotOf(later, earlier);
  if (slot !== undefined) return slot;
  if (corrects(later, earlier, common)) return "replaced";
  const smaller = Math.min(later.subject.size, earlier.subject.size);
  const hasSameNames = [...earlier.names].every((name) => later.names.has(name)) ||
    [...later.names].every((name) => earlier.names.has(name));
  if (common < Math.max(SAME * smaller, LEAST_COMMON) || !hasSameNames) return "other";
  if (later.numbers.size > 0 && earlier.numbers.size > 0) {
    const [is, was] = [[later, earlier], [earlier, later]].map(([one, other]) =>
      [...one.numbers].filter((number) => !other.numbers.has(number))
    );
    const isOne = is.length === 1 && was.length === 1 &&
      subjectBefore(later, is[0]) === subjectBefore(earlier, was[0]);
    if (isOne) return meaningOf(later.tokens, later.tokens.indexOf(is[0]));
    if (is.length + was.length > 0) return "other";
  }
  if (later.negations === earlier.negations) return "same";
  const isTurned = later.negations === 0 || earlier.negations === 0;
  return isTurned && common === smaller ? "replaced" : "unsure";
}

/** Two observations that contradict each other, or may do so. */
export interface Contradiction {
  /** The id of the younger one, which holds unless somebody says otherwise. */
  younger: string;
  /** The id of the older one. */
  older: string;
}

/** Words in more observations than this are too common to compare by. */
const MAX_SHARING = 200;

/** Maximum number of words: a longer statement says more than one thing, and is not compared. */
const MAX_WORDS = 40;

/** Returns the pairs of observations with one of these relations, each pair once. */
export function contradictionsIn(
  observations: readonly Observation[],
  relations: readonly Relation[],
): Contradiction[] {
  const claims = observations.toSorted(byTimestamp).map(({ id, content }) => ({
    id,
    claim: claimOf(content),
  })).filter(({ claim }) => claim.tokens.length <= MAX_WORDS);
  const byWord = new Map<string, number[]>();
  return claims.flatMap(({ id, claim }, index) => {
    const common = new Map<number, number>();
    for (const word of claim.subject) {
      const earlier = byWord.get(word) ?? [];
      if (earlier.length >= MAX_SHARING) continue;
      for (const other of earlier) common.set(other, (common.get(other) ?? 0) + 1);
      byWord.set(word, [...earlier, index]);
    }
    return [...common].flatMap(([other, count]) =>
      count >= LEAST_COMMON && relations.includes(relationOf(claim, claims[other].claim))
        ? [{ younger: id, older: claims[other].id }]
        : []
    );
  });
}

/**
 * Returns the relation of two statements with the same words in the same order, except for one value; undefined if
 * other words differ, or the value does not settle it.
 */
function slotOf(
  { tokens: later, written }: ComparedStatement,
  { tokens: earlier, written: writtenBefore }: ComparedStatement,
): Relation | undefined {
  let start = 0;
  while (start < later.length && start < earlier.length && later[start] === earlier[start]) start++;
  let end = 0;
  const most = Math.min(later.length, earlier.length) - start;
  while (end < most && later.at(-1 - end) === earlier.at(-1 - end)) end++;
  const [is, was] = [later, earlier].map((tokens) => tokens.slice(start, tokens.length - end));
  const around = [...later.slice(0, start), ...later.slice(later.length - end)];
  const telling = around.filter((token) => !STOP.has(token)).length;
  if (is.length > LONGEST_VALUE || was.length > LONGEST_VALUE || telling === 0) return undefined;
  if (is.length + was.length === 0) return "same";
  const isTurn = [...is, ...was].every((token) => STOP.has(token) || TURN.test(token)) &&
    is.some((token) => NEGATION.test(token)) !== was.some((token) => NEGATION.test(token));
  if (isTurn) return "replaced";
  if (is.length === 0 || was.length === 0) return undefined;
  const isEmpty = [...is, ...was].every((token) => STOP.has(token) && !NEGATION.test(token));
  if (isEmpty) return "same";
  const head = later.slice(0, start);
  const lasts = [is, was].map((tokens) => tokens.findLastIndex((token) => NUMBER.test(token)));
  if (Math.min(...lasts) >= 0) {
    return Math.max(...lasts) === 0 ? meaningOf(later, start) : undefined;
  }
  if (is.length > 1 || was.length > 1) return undefined;
  const isNamed = (VALUE.test(written[start]) && VALUE.test(writtenBefore[start])) ||
    is[0].includes(was[0]) || was[0].includes(is[0]);
  const isPlaced = head.slice(-2).some((token) => PLACE.test(token));
  const isValue = head.some(isState);
  if (isValue && (isNamed || isPlaced)) return "replaced";
  if (!isValue && later.slice(start).some(isState)) return "other";
  return start > 0 && end > 0 ? "unsure" : undefined;
}

/** Returns what another number at this place means: another value, another thing, or unknown. */
function meaningOf(tokens: readonly string[], at: number): Relation {
  const before = tokens[at - 1] ?? "";
  if (tokens[at].startsWith("#") || NUMBERED.test(before)) return "other";
  if (at === 0 || MEASURE.test(before) || isState(before)) return "replaced";
  if (isState(tokens[at + 1] ?? "") || tokens[at + 1] === "of") return "other";
  if (WHICH.test(tokens[at - 2] ?? "")) return "unsure";
  return tokens.slice(0, at).some(isState) ? "replaced" : "unsure";
}

/** Returns the words before a number, without stop words. */
function subjectBefore({ tokens }: ComparedStatement, number: string): string {
  const telling = tokens.slice(0, tokens.indexOf(number)).filter((token) => !STOP.has(token));
  return telling.map(stem).sort().join(" ");
}

/** Whether the later statement says that the earlier one no longer holds. */
function corrects(later: ComparedStatement, earlier: ComparedStatement, common: number): boolean {
  if (common < LEAST_COMMON) return false;
  const isNumbered = later.tokens.some((token, at) =>
    NUMBER.test(token) && NUMBERED.test(later.tokens[at - 1] ?? "")
  );
  const isRestated = count(later.numbers, earlier.numbers) > 0 &&
    later.numbers.size > earlier.numbers.size;
  if (isRestated && !isNumbered) return true;
  return later.tokens.some((token, at) =>
    CORRECTS.test(token) &&
    later.tokens.slice(at + 1, at + 3).some((next) =>
      !STOP.has(next) && earlier.tokens.includes(next) &&
      !later.tokens.slice(0, at).includes(next)
    )
  ) && common === earlier.subject.size;
}

function count(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const each of one) common += Number(other.has(each));
  return common;
}
