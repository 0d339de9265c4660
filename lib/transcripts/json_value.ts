/**
 * Looks into JSON of which nothing is known.
 *
 * @module
 */

import { isObject, type JsonObject } from "../checks.ts";

/**
 * @param value anything
 * @returns the value if it is an object that is not an array, else an empty one
 */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * @param value anything
 * @returns the value if it is an array, else an empty one
 */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * @param value anything
 * @returns the value if it is a string that is not empty, else undefined
 */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The text of a message whose content is a string, a part with text, or a list of both.
 *
 * @param content anything
 * @param types which types of parts count; a part without a type always does
 * @returns the parts on lines of their own
 */
export function textOf(content: unknown, types: readonly string[]): string {
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
 * What a tool was called with, as text to search in.
 *
 * @param input a string, or an object whose strings, and lists of strings, are taken
 * @returns them on lines of their own
 */
export function inputOf(input: unknown): string {
  if (typeof input === "string") return input;
  return Object.values(objectOf(input)).flatMap((value) => Array.isArray(value) ? value : [value])
    .filter((value) => typeof value === "string").join("\n");
}
