/**
 * Which old observations of an issue are merged into which summaries (SPEC-AgentX section 10, phase
 * 3). Pure and deterministic: two processes that plan at once plan the same.
 *
 * A summary holds its pieces word for word and in the order of time; a piece is a whole observation
 * where there is room, or else its first sentences. Its pieces are of one agent in one session, and it
 * goes on as a part of that session; those that are the only one of theirs share summaries with what is
 * about the same, as far as both fit whole. It is kept short: what is recalled for one of its pieces brings
 * the others along. What is younger than the limit is left alone, and so are summaries: nothing is
 * summarised twice.
 *
 * @module
 */

import { DAY_MS } from "../time.ts";
import { groupsAlike } from "./alike.ts";
import { firstDuplicateOf } from "./dedupe.ts";
import { fingerprintOf } from "./identity.ts";
import { labelOf } from "./pieces.ts";
import { byTime, described, MAX_CONTENT, type Observation, truncate } from "./schema.ts";
import { supersededIds } from "./superseded.ts";

/** Observations of one issue that replace others. */
export interface Exchange {
  /** The ids of those that leave. */
  remove: readonly string[];
  /** Those that stand for them from now on. */
  add: readonly Observation[];
}

/** What compaction did to the old observations of an issue. */
export interface Compaction {
  /** From 1. */
  issueNumber: number;
  /** Observations of the issue before. */
  before: number;
  /** Observations of the issue after. */
  after: number;
  /** Ids of those that left. */
  removed: readonly string[];
  /** The summaries that stand for them, at most half as many. */
  added: readonly Observation[];
}

/** A text for a summary, and the observations that it stands for. */
interface Piece {
  observation: Observation;
  ids: string[];
}

/** Younger observations stay as they are (SPEC-AgentX section 9.4). */
const OLD_DAYS = 90;

/** Characters of a summary from which on it takes no other piece, once it has two. */
const ENOUGH = 600;

/** Plans the compaction of one issue; nothing where no two old observations are left to merge. */
export function planCompaction(observations: readonly Observation[], nowMs: number): Exchange {
  const hidden = supersededIds(observations);
  const before = nowMs - OLD_DAYS * DAY_MS;
  const candidates = observations.filter(({ timestamp, replaces, retracted }) =>
    Date.parse(timestamp) < before && replaces === undefined && retracted === undefined
  );
  const staying = new Set(observations.map(({ id }) => id));
  for (const { id } of candidates) staying.delete(id);
  // Without the correction, what it corrects would be recalled again.
  const old = candidates.filter(({ supersedes = "" }) => !staying.has(supersedes));
  const current = old.filter(({ id }) => !hidden.has(id)).sort(byAge);
  if (current.length < 2) return { remove: [], add: [] };

  const add = bundle(withoutRepetitions(current)).map(summarise);
  return { remove: old.map(({ id }) => id).sort(), add };
}

/**
 * Forgets originals: what stands for them is rebuilt from the others, under the same id. Returns
 * undefined if it stands for nothing any more.
 */
export function summaryWithout(
  summary: Observation,
  going: { has(id: string): boolean },
  originals: readonly Observation[],
): Observation | undefined {
  const staying = new Set(summary.replaces?.filter((id) => !going.has(id)));
  const left = originals.filter((each) => staying.has(each.id)).sort(byAge);
  if (left.length === 0) return undefined;
  return { ...summary, ...tell(withoutRepetitions(left)) };
}

function byAge(a: Observation, b: Observation): number {
  return byTime(a, b) || (a.id < b.id ? -1 : 1);
}

/** Of those in a category that say the same, only the newest is kept. */
function withoutRepetitions(sorted: readonly Observation[]): Piece[] {
  const first = firstDuplicateOf(sorted.map(({ content }) => content));
  const pieces = new Map<string, Piece>();
  for (const [index, observation] of sorted.entries()) {
    const key = `${observation.category} ${first[index]}`;
    const ids = [...pieces.get(key)?.ids ?? [], observation.id];
    pieces.set(key, { observation, ids });
  }
  return [...pieces.values()];
}

/**
 * Puts together what one agent said in a session, and at last the pieces that are alone in theirs, or that
 * would have to be cut for the sake of the others.
 */
function bundle(pieces: readonly Piece[]): Piece[][] {
  const sessions = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const { agent, sessionId } = piece.observation;
    const key = `${agent} ${sessionId}`;
    sessions.set(key, [...sessions.get(key) ?? [], piece]);
  }
  const parts = [...sessions.values()].flatMap((session) => fill(session, MAX_CONTENT));
  const alone = parts.filter(({ length }) => length === 1).flat()
    .sort((a, b) => byAge(a.observation, b.observation));
  const bundles = [...parts.filter(({ length }) => length > 1), ...company(alone)];
  const last = bundles[bundles.length - 1];
  // Each has two pieces at least, if there are two.
  if (last.length === 1 && bundles.length > 1) bundles.splice(-2, 2, [...bundles.at(-2)!, ...last]);
  return bundles;
}

/** Puts together what is about the same, as long as it fits; what is left, in the order of time. */
function company(alone: readonly Piece[]): Piece[][] {
  const lengths = alone.map((piece) => textOf([piece]).length + 1);
  const groups = groupsAlike(
    alone.map(({ observation }) => observation.content),
    (group, next) => {
      const length = group.reduce((sum, index) => sum + lengths[index], lengths[next]);
      return length <= (group.length < 2 ? MAX_CONTENT : ENOUGH);
    },
  ).map((group) => group.map((index) => alone[index]));
  return [
    ...groups.filter(({ length }) => length > 1),
    ...fill(groups.filter(({ length }) => length === 1).flat()),
  ];
}

/** Fills summaries one after the other, up to so many characters those of two pieces. */
function fill(pieces: readonly Piece[], maxCharacters = Infinity): Piece[][] {
  const bundles: Piece[][] = [];
  for (const [index, piece] of pieces.entries()) {
    const last = bundles.at(-1);
    const length = textOf([...last ?? [], piece]).length;
    const isLast = index === pieces.length - 1;
    const isFull = last === undefined || length > maxCharacters ||
      last.length >= 2 && length > ENOUGH && !isLast;
    if (isFull) bundles.push([piece]);
    else last.push(piece);
  }
  return bundles;
}

function summarise(pieces: readonly Piece[]): Observation {
  const newest = pieces.map(({ observation }) => observation)
    .reduce((a, b) => byTime(a, b) < 0 ? b : a);
  const { agent, issueNumber, issueUid, timestamp, sessionId } = newest;
  const summary: Observation = {
    id: "",
    agent,
    issueNumber,
    ...(issueUid === undefined ? {} : { issueUid }),
    category: "compaction-summary",
    timestamp,
    sessionId,
    ...tell(pieces),
  };
  const suffix = fingerprintOf(summary).slice(0, 6);
  return { ...summary, id: `obs-${agent}-${issueNumber}-${Date.parse(timestamp)}-${suffix}` };
}

/** What a summary says, and of what. */
function tell(pieces: readonly Piece[]) {
  return { ...described(contentOf(pieces)), replaces: pieces.flatMap(({ ids }) => ids) };
}

/** The shortest pieces whole; the others share the rest of the room. */
function contentOf(pieces: readonly Piece[]): string {
  let room = MAX_CONTENT - textOf(pieces, 0).length;
  const lengths = pieces.map(({ observation }) => observation.content.length).sort((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(room / (lengths.length - index));
    if (length > share) return textOf(pieces, share);
    room -= length;
  }
  return textOf(pieces);
}

/** Each piece on a line of its own, with at most `maxCharacters` of its content. */
function textOf(pieces: readonly Piece[], maxCharacters = MAX_CONTENT): string {
  return pieces
    .map(({ observation }, index) =>
      labelOf(observation, pieces[index - 1]?.observation) +
      truncate(observation.content, maxCharacters)
    ).join("\n");
}
