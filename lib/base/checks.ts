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

/** Nothing that agentx or a host writes comes near it, and code that walks a value does not overflow. */
const MAX_JSON_DEPTH = 1_000;

/** The value of a text that others wrote. Throws `SyntaxError` where it is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return JSON.parse(text);
}

/** Like {@linkcode parseJson}; undefined, which JSON does not have, where that would throw. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // the caller knows what that means
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

/** Where a string ends that begins here. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1;; end++) {
    end = text.indexOf('"', end);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
}
