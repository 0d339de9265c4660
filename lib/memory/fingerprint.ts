/**
 * Recognising an observation that was captured before. Pure.
 *
 * @module
 */

import { hash32 } from "./hash.ts";
import type { Observation } from "./schema.ts";
import { sessionKeyOf } from "./session_id.ts";

/** Tells which observations of an issue are there already. */
export class KnownObservations {
  readonly #seen = new Set<string>();
  readonly #forgotten: ReadonlySet<string>;

  /** @param forgotten marks of those that somebody had removed, and which count as known */
  constructor(forgotten: readonly string[] = []) {
    this.#forgotten = new Set(forgotten);
  }

  /** @param observations those that are there */
  add(observations: readonly Observation[]): void {
    for (const each of observations) this.#seen.add(each.id).add(identityOf(each));
  }

  /**
   * @param observation of the same issue
   * @returns whether its id is there, or its words in its session
   */
  has(observation: Observation): boolean {
    return this.#seen.has(observation.id) || this.#seen.has(identityOf(observation)) ||
      this.#forgotten.size > 0 && this.#forgotten.has(markOf(observation));
  }
}

/**
 * @param observation any observation
 * @returns what two captures of the same words in the same session have in common
 */
function identityOf(observation: Observation): string {
  return `${sessionKeyOf(observation)}\n${observation.content}`;
}

/**
 * Reduces an observation to a mark that recognises it and does not tell what it said.
 *
 * @param observation any observation
 * @returns 16 hexadecimal digits
 */
export function markOf(observation: Observation): string {
  const text = identityOf(observation);
  return [hash32(text), hash32(text, 0x9e3779b9)]
    .map((hash) => hash.toString(16).padStart(8, "0")).join("");
}
