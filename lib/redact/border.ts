// The border: removes private parts and secrets from text that agentx writes, sends to an agent or shows. A marker
// replaces each of them and names its kind. A second pass changes nothing. Pure.
//
// The rules are loaded only for a text that may hold a private part or a secret.

import { AgentxError } from "../base/errors.ts";
import { mayHoldSecret } from "./hint.ts";
import { isAllRedacted } from "./secret.ts";

/**
 * Cuts one text that is about to be written. If something was cut, `check` gets the rest with its markers, so that
 * agentx can always write a text again after reading it. Throws `INVALID_INPUT` if only markers are left.
 */
export type Cut = (field: string, text: string, check?: (left: string) => string) => string;

export interface CuttingOptions {
  /** The name of the written thing, such as `CLR-42-001`. */
  what: string;
  /** Called with one sentence that lists the kinds of the cut parts, and the number of each kind. */
  notify: (message: string) => void;
  /** Whether a text may consist of markers only. An import allows this, so that it loses no record. */
  mayBeMarkers?: boolean;
}

/** Thrown at the first text that needs the rules. They must not be loaded under a lock. */
const NEEDS_RULES = new Error("The rules are needed");

/** Loads the rules, which are large. Most texts do not need them. */
const loadRules = () => import("./redact.ts");

/** Returns a copy of a JSON value without private parts and secrets, or the value itself if it has none. Keys stay. */
export async function withoutSecrets<T>(value: T): Promise<T> {
  if (!mayHoldSecret(textsIn(value))) return value;
  const { redactValue } = await loadRules();
  return redactValue(value, { isSuspect: mayHoldSecret });
}

/**
 * Runs work that cuts texts and writes the rest, and reports the cut parts. If the rules must be loaded, the work is
 * run a second time, so it must not write anything before all texts are cut.
 */
export async function cutting<T>(
  work: (cut: Cut) => T | Promise<T>,
  { what, notify, mayBeMarkers = false }: CuttingOptions,
): Promise<T> {
  try {
    return await work(refuseSuspect);
  } catch (error) {
    if (error !== NEEDS_RULES) throw error;
  }
  const { redacted } = await loadRules();
  const counts = new Map<string, number>();
  const result = await work((field, given, check = (left) => left) => {
    const { text, kinds } = redacted(given);
    if (text === given) return given;
    if (!mayBeMarkers && isAllRedacted(text)) throw nothingLeft(field);
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

/** Collects every string of a JSON value, except keys. */
export function textsIn(value: unknown, texts: Set<string> = new Set()): Set<string> {
  if (typeof value === "string") texts.add(value);
  else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) textsIn(inner, texts);
  }
  return texts;
}

function nothingLeft(field: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot use the ${field}: nothing is left after its secrets and private parts are removed`,
    {
      details: { field, value: null },
      next: "Write what others may read, and leave secrets out",
    },
  );
}
