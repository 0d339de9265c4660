/**
 * Recognising an observation that was captured before. Pure.
 *
 * @module
 */

import { hash32 } from "./hash.ts";
import type { Observation } from "./schema.ts";
import { sessionKeyOf } from "./session_id.ts";

/** What two captures of the same words in the same session have in common. */
export function identityOf(observation: Observation): string {
  return `${sessionKeyOf(observation)}\n${observation.content}`;
}

/** Recognises an observation, and does not tell what it said: 16 hexadecimal digits. */
export function fingerprintOf(observation: Observation): string {
  const text = identityOf(observation);
  return [hash32(text), hash32(text, 0x9e3779b9)]
    .map((hash) => hash.toString(16).padStart(8, "0")).join("");
}
