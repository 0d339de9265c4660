/**
 * Which old observations of an issue are merged into which summaries (SPEC-AgentX section 10, phase
 * 3). Pure and deterministic: two processes that plan at once plan the same.
 *
 * A summary holds its pieces word for word, grouped by category and in the order of time; a piece is
 * a whole observation wherever its neighbours leave the room, and else its first sentences. What is
 * younger than the limit is left alone, and so are summaries: nothing is boiled down twice.
 *
 * @module
 */

import { DAY_MS } from "../time.ts";
import { firstDuplicateOf } from "./dedupe.ts";
import { markOf } from "./fingerprint.ts";
import { CATEGORIES, estimateTokens, MAX_CONTENT, type Observation, summaryOf } from "./schema.ts";
import { supersededIds } from "./superseded.ts";
import { truncate } from "./truncate.ts";

/** Options of {@linkcode planCompaction}. */
export interface CompactionOptions {
  /** The present, in milliseconds since the epoch. */
  nowMs: number;
  /**
   * Younger observations stay as they are.
   *
   * @default {90}
   */
  olderThanDays?: number;
}

/** What a compaction changes. */
export interface CompactionPlan {
  /** Ids of the observations that go to the archive. */
  remove: string[];
  /** The summaries that stand for them, at most half as many. */
  add: Observation[];
}

/** A text for a summary, and the observations that it stands for. */
interface Piece {
  observation: Observation;
  ids: string[];
}

/** What a summary says of its session. */
const SESSION = "compaction";

/**
 * Plans the compaction of one issue.
 *
 * @param observations all observations of the issue
 * @param options the present, and what counts as old
 * @returns what to remove and what to add; nothing where no two old observations are left to merge
 */
export function planCompaction(
  observations: readonly Observation[],
  { nowMs, olderThanDays = 90 }: CompactionOptions,
): CompactionPlan {
  const hidden = supersededIds(observations);
  const before = nowMs - olderThanDays * DAY_MS;
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
 * Forgets an original: what stands for it is told anew from the other originals.
 *
 * @param summary stands for some originals
 * @param id of the original that is forgotten
 * @param originals those that are archived, of whatever summary
 * @returns the summary under the same id; undefined if it stands for nothing any more
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
  return category || compare(a.timestamp, b.timestamp) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Of those in a category that say the same, the newest speaks for all. */
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
    const isFull = lengthOf([...last, piece]) > MAX_CONTENT;
    if (last.length >= 2 && isFull) bundles.push([piece]);
    else last.push(piece);
  }
  const last = bundles[bundles.length - 1];
  if (last.length === 1 && bundles.length > 1) bundles.splice(-2, 2, [...bundles.at(-2)!, ...last]);
  return bundles;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { observation }) =>
    sum + labelOf(observation).length +
    observation.content.length + 1, -1);
}

function summarise(pieces: readonly Piece[]): Observation {
  const newest = pieces.map(({ observation }) => observation)
    .reduce((a, b) => compare(a.timestamp, b.timestamp) < 0 ? b : a);
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
  const suffix = markOf(summary).slice(0, 6);
  return { ...summary, id: `obs-${agent}-${issueNumber}-${Date.parse(timestamp)}-${suffix}` };
}

/** What a summary says, and of what. */
function tell(pieces: readonly Piece[]) {
  const content = contentOf(pieces);
  return {
    content,
    summary: summaryOf(content),
    tokens: estimateTokens(content),
    replaces: pieces.flatMap(({ ids }) => ids),
  };
}

/** The shortest pieces whole; the others share what they leave. */
function contentOf(pieces: readonly Piece[]): string {
  const labels = pieces.reduce((sum, { observation }) => sum + labelOf(observation).length + 1, -1);
  let room = MAX_CONTENT - labels;
  const lengths = pieces.map(({ observation }) => observation.content.length).sort((a, b) => a - b);
  let most = MAX_CONTENT;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(room / (lengths.length - index));
    if (length > share) {
      most = share;
      break;
    }
    room -= length;
  }
  return pieces
    .map(({ observation }) => labelOf(observation) + truncate(observation.content, most))
    .join("\n");
}

function labelOf({ category, agent, timestamp }: Observation): string {
  return `- ${category} (${agent}, ${timestamp.slice(0, 10)}): `;
}
