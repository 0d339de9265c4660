// Checks of unknown values. Pure.

/** An object as JSON has it. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object; an array and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a text, even an empty one. */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether a value is an array of nothing but texts. */
export function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Whether a value is a text that `Date` reads. */
export function isTime(value: unknown): value is string {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is an array, otherwise an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text that is not empty. */
export function stringOf(value: unknown): string | undefined {
  return isText(value) && value !== "" ? value : undefined;
}

/**
 * The value of a text that others wrote; undefined, which JSON does not have, where it is not JSON.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller knows what that means
  }
}
