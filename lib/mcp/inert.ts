// Makes untrusted text safe for a model and its host: nothing in it is hidden, moves the cursor or ends a turn. Pure.

import { inertLines } from "../text/inert.ts";

/** Returns a copy of a JSON value with inert texts and keys; line ends stay. */
export function inertJson<T>(value: T): T;
export function inertJson(value: unknown): unknown {
  if (typeof value === "string") return inertText(value);
  if (Array.isArray(value)) return value.map((inner) => inertJson(inner));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [inertText(key), inertJson(inner)]));
}

function inertText(text: string): string {
  return inertLines(text).join("\n");
}
