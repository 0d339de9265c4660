// What a model, and the host that shows it, may read of what others wrote: nothing in it is hidden,
// moves a cursor or ends a turn. Pure.

import { inertLines } from "../text/inert.ts";

/** A copy of a JSON value in which every text, and every key, is inert; line ends stay. */
export function inert<T>(value: T): T;
export function inert(value: unknown): unknown {
  if (typeof value === "string") return inertText(value);
  if (Array.isArray(value)) return value.map((inner) => inert(inner));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [inertText(key), inert(inner)]));
}

function inertText(text: string): string {
  return inertLines(text).join("\n");
}
