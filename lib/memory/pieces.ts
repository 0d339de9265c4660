/**
 * The pieces of a summary that stands for many observations, as they are written and read. Pure.
 *
 * @module
 */

import { CATEGORIES, type Observation } from "./schema.ts";

/** What a summary says of one observation. */
export interface SummaryPiece {
  category: string;
  /** Who recorded it and on which day, as {@linkcode recordedBy} says it; empty if it does not say. */
  from: string;
  /** What it begins with: `- decision (engineer, 2026-02-27): `; empty if it does not begin so. */
  label: string;
  text: string;
}

const KIND = CATEGORIES.join("|");
const LABEL = new RegExp(`^- (${KIND})(?: \\(([^()\\n]+)\\))?: `);
const NEXT = new RegExp(`\\n(?=- (?:${KIND})(?: \\([^()\\n]+\\))?: )`);

/** Who recorded an observation, and on which day. */
export function recordedBy({ agent, timestamp }: Observation): string {
  return `${agent}, ${timestamp.slice(0, 10)}`;
}

/** What a piece begins with: who and when is said where it changes. */
export function labelOf(observation: Observation, before: Observation | undefined): string {
  const from = recordedBy(observation);
  const isSame = before !== undefined && recordedBy(before) === from;
  return `- ${observation.category}${isSame ? "" : ` (${from})`}: `;
}

/** The pieces of a summary; of any other observation, all that it says. */
export function piecesOf(content: string): SummaryPiece[] {
  let from = "";
  return content.split(NEXT).map((piece) => {
    const [label = "", category = "key-fact", named] = LABEL.exec(piece) ?? [];
    from = named ?? from;
    return { category, from, label, text: piece.slice(label.length) };
  });
}
