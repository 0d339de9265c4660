/**
 * Checks of unknown values. Pure.
 *
 * @module
 */

/** An object as JSON has it. */
export type JsonObject = Record<string, unknown>;

/**
 * Tells an object from everything else in JSON.
 *
 * @param value anything that JSON.parse gives
 * @returns true for an object, false for an array and null
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Tells a text from everything else in JSON.
 *
 * @param value anything that JSON.parse gives
 * @returns true for a text, also for an empty one
 */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}
