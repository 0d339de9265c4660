// Checks of unknown values. Pure.

/** A JSON object with any keys. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object, but not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a string, even an empty one. */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether a value is an array that contains only strings. */
export function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Whether a value is a string that `Date.parse` can read. */
export function isTime(value: unknown): value is string {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is an array, otherwise an empty array. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a string that is not empty, otherwise undefined. */
export function stringOf(value: unknown): string | undefined {
  return isText(value) && value !== "" ? value : undefined;
}

/** Maximum depth of untrusted JSON. No file of agentx or a host comes near it, and recursive code does not overflow. */
const MAX_JSON_DEPTH = 1_000;

/** Parses untrusted JSON. Throws `SyntaxError` if the text is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return JSON.parse(text);
}

/** Like {@linkcode parseJson}, but returns undefined instead of throwing; no JSON text has the value undefined. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** Returns the index of the end of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1;; end++) {
    end = text.indexOf('"', end);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
}
