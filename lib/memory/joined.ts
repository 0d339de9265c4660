/**
 * What was joined into a summary, taken apart again: a summary says its originals word for word, and the
 * archive keeps the rest. Pure.
 *
 * That rest is found by doing it: what does not come out again as it was, key by key, is archived whole,
 * whatever the reason. What is written in one version is read in every later one: the labels (`pieces.ts`)
 * and what is derived from a content (`described`) are part of the form of the file.
 *
 * @module
 */

import { isObject, type JsonObject } from "../checks.ts";
import { isObservation } from "./is_observation.ts";
import { piecesOf, recordedBy, type SummaryPiece } from "./pieces.ts";
import { described, type Observation, readObservationId } from "./schema.ts";

/** What an archive keeps of observations that are in a summary. */
export interface Joined {
  /** The id of the summary. */
  of: string;
  /**
   * By id, what is not as the summary makes it: the original, with null for each value that it gives;
   * or null where it does not have the text, and the original is archived whole.
   */
  rest?: Record<string, JsonObject | null>;
  /** By id, as how many pieces of the summary an original reads, unless it is one. */
  pieces?: Record<string, number>;
}

/** Whether it has the form of a {@linkcode Joined}. */
export function isJoined(value: unknown): value is Joined {
  if (!isObject(value)) return false;
  const { of, rest = {}, pieces = {} } = value;
  return typeof of === "string" &&
    isObject(rest) && Object.values(rest).every((each) => each === null || isObject(each)) &&
    isObject(pieces) &&
    Object.values(pieces).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
}

/**
 * @param summary as it is written
 * @param originals by id, those that it stands for
 * @returns what it does not say of them; undefined where none can be had from it
 */
export function joinedIn(
  summary: Observation,
  originals: ReadonlyMap<string, Observation>,
): Joined | undefined {
  const places = placesOf(summary, originals);
  if (places === undefined) return undefined;
  const rest = new Map<string, JsonObject | null>();
  for (const { id, count, pieces } of places) {
    const left = pieces.length === 0 ? null : restOf(originals.get(id)!, summary, pieces);
    if (count > 0 && left !== undefined) rest.set(id, left);
  }
  const counts = places.filter(({ count }) => count !== 1).map(({ id, count }) => [id, count]);
  const joined = (): Joined => ({
    of: summary.id,
    ...(rest.size === 0 ? {} : { rest: Object.fromEntries(rest) }),
    ...(counts.length === 0 ? {} : { pieces: Object.fromEntries(counts) }),
  });
  const made = takeApart(summary, joined());
  const inexact = made?.filter((each) => !isSame(each, originals.get(each.id))) ?? [];
  for (const { id } of inexact) rest.set(id, null);
  return made !== undefined && made.length > inexact.length ? joined() : undefined;
}

/**
 * @param summary as it was read
 * @param joined what the archive keeps of its originals
 * @returns those that it has whole, in its order; undefined if it was edited, so that its pieces cannot
 *   be told apart any more
 */
export function takeApart(
  summary: Observation,
  { rest = {}, pieces: counts = {} }: Joined,
): Observation[] | undefined {
  const pieces = piecesOf(summary.content);
  const [rests, countOf] = [new Map(Object.entries(rest)), new Map(Object.entries(counts))];
  const originals: Observation[] = [];
  let at = 0;
  for (const id of replacedBy(summary)) {
    const count = countOf.get(id) ?? 1;
    const own = pieces.slice(at, at += count);
    const left = rests.get(id);
    if (count === 0 || left === null) continue;
    const made = originalOf(summary, id, own);
    const original = left === undefined || made === undefined ? made : filled(left, made);
    if (!isObservation(original, summary.issueNumber) || original.id !== id) return undefined;
    if (recordedBy(original) !== own[0].from) return undefined;
    originals.push(original);
  }
  return at === pieces.length ? originals : undefined;
}

/** Where in a summary the text of an original is. */
interface Place {
  id: string;
  /** The number of its first piece. */
  at: number;
  /** How many pieces it reads as; also those that are left of it where it was cut. */
  count: number;
  /** What it says, whole; empty where it was cut, or says the same as the next one. */
  pieces: SummaryPiece[];
}

/** @returns undefined where the summary says something else, too */
function placesOf(
  summary: Observation,
  originals: ReadonlyMap<string, Observation>,
): Place[] | undefined {
  const all = piecesOf(summary.content);
  const places: Place[] = [];
  let next = 0;
  for (const id of replacedBy(summary)) {
    const original = originals.get(id);
    if (original === undefined) return undefined;
    const { category, content } = original;
    const from = recordedBy(original);
    const count = piecesOf(content).length;
    const at = all.findIndex((piece, index) =>
      index >= next && piece.label !== "" && piece.category === category && piece.from === from &&
      textOf(all.slice(index, index + count)) === content
    );
    if (at < 0) places.push({ id, at: next, count: 0, pieces: [] });
    else {
      if (!reachTo(at, places.at(-1))) return undefined;
      places.push({ id, at, count, pieces: all.slice(at, at + count) });
      next = at + count;
    }
  }
  return reachTo(all.length, places.at(-1)) ? places : undefined;
}

/** What is between two originals that were found whole is what was left of the last one in between. */
function reachTo(end: number, last: Place | undefined): boolean {
  if (last !== undefined && last.pieces.length === 0) last.count = end - last.at;
  return end === (last === undefined ? 0 : last.at + last.count);
}

/** Hand-written files may have anything there. */
function replacedBy({ replaces }: Observation): string[] {
  return Array.isArray(replaces) ? replaces.filter((id) => typeof id === "string") : [];
}

/** What a summary alone makes of an original, with the keys in the order in which it was captured. */
function originalOf(
  { issueNumber, issueUid, sessionId }: Observation,
  id: string,
  pieces: readonly SummaryPiece[],
): Observation | undefined {
  const parts = readObservationId(id);
  if (parts === undefined || pieces.length === 0 || pieces[0].label === "") return undefined;
  return {
    id,
    agent: parts.agent,
    issueNumber,
    category: pieces[0].category as Observation["category"],
    ...described(textOf(pieces)),
    timestamp: new Date(parts.timestampMs).toISOString(),
    sessionId,
    ...(issueUid === undefined ? {} : { issueUid }),
  };
}

/** Some lines of a text look like labels. */
function textOf(pieces: readonly SummaryPiece[]): string {
  return pieces.map(({ label, text }, index) => index === 0 ? text : label + text).join("\n");
}

/** What is left of an original besides what a summary makes of it; undefined if nothing is. */
function restOf(
  original: Observation,
  summary: Observation,
  pieces: readonly SummaryPiece[],
): JsonObject | null | undefined {
  const made = originalOf(summary, original.id, pieces);
  if (made === undefined) return null;
  if (isSame(original, made)) return undefined;
  const given = new Map(Object.entries(made));
  return Object.fromEntries(
    Object.entries(original).map(([key, value]) => [
      key,
      isSame(value, given.get(key)) ? null : value,
    ]),
  );
}

function filled(rest: JsonObject, made: Observation): JsonObject {
  const given = new Map<string, unknown>(Object.entries(made));
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, value ?? given.get(key)]),
  );
}

/** To the last byte of what is written. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
