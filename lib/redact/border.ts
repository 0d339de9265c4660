/**
 * The border: what is written, sent to an agent or shown passes here, and leaves its private parts and
 * secrets behind. Each leaves a marker that names its kind, and passing again changes nothing. Pure.
 *
 * The rules are loaded for a text that may hold something to cut, and for no other.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { mayHoldSecret } from "./hint.ts";

/**
 * Cuts one text that is about to be written.
 *
 * @param field what the text is, for the message
 * @param text as it was given
 * @param check of what is left, where something was cut: the markers count too, so that what was read can
 *   always be written again
 * @returns what may be written
 * @throws {AgentxError} `INVALID_INPUT` if nothing but markers is left
 */
export type Cut = (field: string, text: string, check?: (left: string) => string) => string;

/** Options of {@linkcode cutting}. */
export interface CuttingOptions {
  /** What is written, such as `CLR-42-001`. */
  what: string;
  /** Is told the kinds of what was cut and how many there were, in one sentence. */
  notify: (message: string) => void;
}

/** Thrown at the first text that needs the rules; they are not loaded under a lock. */
const NEEDS_RULES = new Error("The rules are needed");

/**
 * Takes private parts and secrets out of what is shown or sent.
 *
 * @param value what JSON can express
 * @returns a copy without them, or the value itself where nothing is to be cut; keys stay
 */
export async function withoutSecrets<T>(value: T): Promise<T> {
  const texts = new Set<string>();
  collectTexts(value, texts);
  if (!mayHoldSecret(texts)) return value;
  const { redactValue } = await import("./redact.ts");
  return redactValue(value, { isSuspect: mayHoldSecret });
}

/**
 * Does work that writes texts, each of which is cut first, and tells what was cut.
 *
 * @param work cuts each text and writes the rest. It is begun again, at most once, where the rules were
 *   not loaded yet: nothing may be written before all texts are cut
 * @param options what is written, and who is told
 * @returns what the work returns
 * @throws {AgentxError} whatever the work throws
 */
export async function cutting<T>(
  work: (cut: Cut) => T | Promise<T>,
  { what, notify }: CuttingOptions,
): Promise<T> {
  try {
    return await work(refuseSuspect);
  } catch (error) {
    if (error !== NEEDS_RULES) throw error;
  }
  const [{ redacted }, { isAllRedacted }] = await Promise.all([
    import("./redact.ts"),
    import("./secret.ts"),
  ]);
  const counts = new Map<string, number>();
  const result = await work((field, given, check = (left) => left) => {
    const { text, kinds } = redacted(given);
    if (text === given) return given;
    if (isAllRedacted(text)) throw nothingLeft(field);
    for (const [kind, count] of Object.entries(kinds)) {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
    return check(text);
  });
  const list = Array.from(counts, ([kind, count]) => `${kind} (${count})`).join(", ");
  if (list !== "") notify(`Cut from ${what} before it was written: ${list}`);
  return result;
}

function refuseSuspect(_field: string, text: string): string {
  if (mayHoldSecret(text)) throw NEEDS_RULES;
  return text;
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === "string") texts.add(value);
  else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) collectTexts(inner, texts);
  }
}

function nothingLeft(field: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot use the ${field}: nothing is left without its private parts and secrets`,
    {
      details: { field, value: null },
      next: "Write what others may read, and leave secrets out",
    },
  );
}
