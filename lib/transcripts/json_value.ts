// Reads JSON of unknown structure.

import { objectOf } from "../base/checks.ts";

/**
 * Returns the text of a message. Its content is a string, a part with text, or a list of both. Parts of the given types
 * and parts without a type become separate lines.
 */
export function messageText(content: unknown, types: readonly string[]): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const { type, text } = objectOf(part);
    const counts = type === undefined || (typeof type === "string" && types.includes(type));
    return counts && typeof text === "string" ? text : "";
  }).filter((text) => text !== "").join("\n");
}

/**
 * Returns the input of a tool as text to search in: a string, or the strings and lists of strings of an object, on
 * separate lines.
 */
export function inputOf(input: unknown): string {
  if (typeof input === "string") return input;
  return Object.values(objectOf(input)).flatMap((value) => Array.isArray(value) ? value : [value])
    .filter((value) => typeof value === "string").join("\n");
}
