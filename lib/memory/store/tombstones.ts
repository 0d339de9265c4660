// Tombstones hold the ids of forgotten observations and salted hashes of their sentences, so neither merges nor
// summaries bring the texts back. Other words with the same meaning are not recognised. Pure.

import { randomId } from "../../lines/line.ts";
import { fingerprintOf } from "../identity.ts";
import { hashOf } from "../../base/hash.ts";
import type { Observation } from "../schema.ts";
import type { ChangeLine, MemoryChange } from "../memory_line.ts";

type Tombstone = Extract<MemoryChange, { op: "forget" }>;

/** Matches the white space where a sentence may end. */
const SENTENCE_END = /(?<=[.!?])\s+/u;

/** The forgotten observations, and the forgotten sentences of other observations. */
export class Tombstones {
  readonly #ids = new Set<string>();
  readonly #prints = new Set<string>();
  /** For each salt, the hash of each forgotten sentence, and the time until which it is forgotten. */
  readonly #sentences = new Map<string, Map<string, string>>();

  /** Adds the tombstone of a line. */
  add({ uid, time, salt, hashes, prints }: ChangeLine & Tombstone): void {
    this.#ids.add(uid);
    for (const print of prints) this.#prints.add(print);
    if (hashes.length === 0) return;
    const known = this.#sentences.get(salt) ?? new Map<string, string>();
    for (const hash of hashes) if ((known.get(hash) ?? "") < time) known.set(hash, time);
    this.#sentences.set(salt, known);
  }

  /** Whether nothing is forgotten. */
  get isEmpty(): boolean {
    return this.#ids.size + this.#prints.size === 0;
  }

  /**
   * Drops an observation that is forgotten.
   *
   * @param observation as a file has it
   * @param from its earlier id, before its issue was renumbered
   * @returns the observation; undefined if it is forgotten
   */
  cleaned(observation: Observation, from?: string): Observation | undefined {
    if (this.isEmpty) return observation;
    if ([observation.id, from].some((id) => id !== undefined && this.#ids.has(id))) {
      return undefined;
    }
    if (this.#prints.has(printOf(observation))) return undefined;
    if (this.#sentences.size === 0) return observation;
    const { content, timestamp, category } = observation;
    const isGone = (sentence: string) =>
      Array.from(this.#sentences).some(([salt, until]) =>
        (until.get(hashOf(`${salt} ${sentence}`)) ?? "") >= timestamp
      );
    const sentences = sentencesIn(content);
    // A summary repeats sentences of archived observations, so one forgotten sentence is enough.
    const isForgotten = category === "compaction-summary"
      ? sentences.some(isGone)
      : sentences.every(isGone);
    return isForgotten ? undefined : observation;
  }
}

/**
 * Makes the tombstone of an observation.
 *
 * @param going the observation to forget
 * @param salt the present salt, so that a sentence is hashed once
 * @returns the tombstone
 */
export function tombstoneOf(going: Observation, salt = randomId()): Tombstone {
  const hashes = sentencesIn(going.content).map((sentence) => hashOf(`${salt} ${sentence}`));
  return { op: "forget", salt, hashes: [...new Set(hashes)].sort(), prints: [printOf(going)] };
}

/** Returns a key for the same words in the same session. */
function printOf(observation: Observation): string {
  return `${observation.issueNumber} ${fingerprintOf(observation)}`;
}

/** Returns the sentences of a text in the form that is compared. */
function sentencesIn(content: string): string[] {
  return content.split("\n").flatMap((line) => line.split(SENTENCE_END))
    .map(normal).filter((sentence) => sentence !== "");
}

function normal(sentence: string): string {
  return sentence.toLowerCase().replace(/[\s\p{P}]+/gu, " ").trim();
}
