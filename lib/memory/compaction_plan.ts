/**
 * Which old observations of an issue are merged into which summaries (SPEC-AgentX section 10, phase
 * 3). Pure and deterministic: two processes that plan at once plan the same.
 *
 * A summary holds its pieces word for word, grouped by category and in the order of time; a piece is
 * a whole observation where there is room, or else its first sentences. What is
 * younger than the limit is left alone, and so are summaries: nothing is summarised twice.
 *
 * @module
 */

import { DAY_MS } from "../time.ts";
import { firstDuplicateOf } from "./dedupe.ts";
import { fingerprintOf } from "./identity.ts";
import {
  byTime,
  CATEGORIES,
  described,
  MAX_CONTENT,
  type Observation,
  truncate,
} from "./schema.ts";
import { supersededIds } from "./superseded.ts";

/** Observations of one issue that replace others. */
export interface Exchange {
  /** The ids of those that go to the archive. */
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
  /** Ids of those that went to the archive. */
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

/** The `sessionId` of a summary. */
const SESSION = "compaction";

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
  const current = old.filter(({ id }) => !hidden.has(id)).sort(byCategoryAndTime);
  if (current.length < 2) return { remove: [], add: [] };

  const add = bundle(withoutRepetitions(current)).map(summarise);
  return { remove: old.map(({ id }) => id).sort(), add };
}

/**
 * Forgets an original: what stands for it is rebuilt from the other originals, under the same id.
 * Returns undefined if it stands for nothing any more.
 */
export function summaryWithout(
  summary: Observation,
  id: string,
  originals: readonly Observation[],
): Observation | undefined {
  const staying = new Set(summary.replaces);
  staying.delete(id);
  const left = originals.filter((each) => staying.has(each.id)).sort(byCategoryAndTime);
  if (left.length === 0) return undefined;
  return { ...summary, ...tell(withoutRepetitions(left)) };
}

function byCategoryAndTime(a: Observation, b: Observation): number {
  const category = CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category);
  return category || byTime(a, b) || (a.id < b.id ? -1 : 1);
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

/** Fills summaries one after the other; each gets two pieces at least, if there are two. */
function bundle(pieces: readonly Piece[]): Piece[][] {
  const bundles: Piece[][] = [[]];
  for (const piece of pieces) {
    const last = bundles[bundles.length - 1];
    const isFull = textOf([...last, piece]).length > MAX_CONTENT;
    if (last.length >= 2 && isFull) bundles.push([piece]);
    else last.push(piece);
  }
  const last = bundles[bundles.length - 1];
  if (last.length === 1 && bundles.length > 1) bundles.splice(-2, 2, [...bundles.at(-2)!, ...last]);
  return bundles;
}

function summarise(pieces: readonly Piece[]): Observation {
  const newest = pieces.map(({ observation }) => observation)
    .reduce((a, b) => byTime(a, b) < 0 ? b : a);
  const { agent, issueNumber, issueUid, timestamp } = newest;
  const summary: Observation = {
    id: "",
    agent,
    issueNumber,
    ...(issueUid === undefined ? {} : { issueUid }),
    category: "compaction-summary",
    timestamp,
    sessionId: SESSION,
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
    .map(({ observation }) => labelOf(observation) + truncate(observation.content, maxCharacters))
    .join("\n");
}

function labelOf({ category, agent, timestamp }: Observation): string {
  return `- ${category} (${agent}, ${timestamp.slice(0, 10)}): `;
}
