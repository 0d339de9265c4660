// Settings that protect the user's attention and money. A repository may only make them stronger. To weaken a
// setting, it needs the user's consent (`agentx trust`). A value that the user set takes precedence. Pure.

import type { JsonObject } from "../base/checks.ts";
import { parseDuration } from "../base/time.ts";
import { completeConfig } from "./content.ts";
import { valueAt, withValue } from "./edit.ts";

/** Returns the stronger of two values of one setting. */
type Strongest = (base: unknown, given: unknown) => unknown;

const lower: Strongest = (base, given) => Math.min(base as number, given as number);
const longer: Strongest = (base, given) => msOf(given) >= msOf(base) ? given : base;
const more: Strongest = (base, given) => [...new Set([...base as string[], ...given as string[]])];
const stricter: Strongest = (base, given) =>
  ENFORCED.indexOf(given) > ENFORCED.indexOf(base) ? given : base;
const fewer: Strongest = (base) => base;

const ENFORCED: readonly unknown[] = ["off", "begun", "all"];

/** The settings that protect the user, each with the function that returns its stronger value. */
const SAFEGUARDS: Readonly<Record<string, Strongest>> = {
  "clarify.maxRunsPerDay": lower,
  "clarify.maxTurns": lower,
  "gate.alwaysAsk": more,
  "gate.neverAsk": fewer,
  "gate.timeout": longer,
  "memory.ask": (base, given) => given === "off" ? given : base,
  "memory.maxTokens": lower,
  "memory.startTokens": lower,
  "pipeline.enforce": stricter,
  "plan.approve": (base, given) => base === true || given === true,
};

/** The settings of a repository after the safeguards were applied. */
export interface Strengthened {
  /** The content without the values that must not apply. */
  content: JsonObject;
  /** Settings that are weaker than the default and need the user's consent, by key. */
  weaker: JsonObject;
  /** Keys of the settings that are weaker than the user's own values, which take precedence. */
  overruled: string[];
}

/**
 * Replaces the values of a repository's content that weaken a safeguard, unless the user agreed to them. The content
 * must fit the schema.
 */
export function strengthen(
  repository: JsonObject,
  user: JsonObject,
  isAgreed: (weaker: JsonObject) => boolean,
): Strengthened {
  const base = completeConfig(user) as unknown as JsonObject;
  const given = Object.keys(SAFEGUARDS).filter((key) => valueAt(repository, key) !== undefined);
  const weak = given.filter((key) => isWeaker(key, valueAt(repository, key), valueAt(base, key)));
  const overruled = weak.filter((key) => valueAt(user, key) !== undefined);
  const weaker = Object.fromEntries(
    weak.filter((key) => !overruled.includes(key)).map((key) => [key, valueAt(repository, key)]),
  );
  const agreed = Object.keys(weaker).length > 0 && isAgreed(weaker) ? weaker : {};
  const content = given.filter((key) => !Object.hasOwn(agreed, key)).reduce(
    (content, key) =>
      withValue(
        content,
        key.split("."),
        SAFEGUARDS[key](valueAt(base, key), valueAt(repository, key)),
      ),
    repository,
  );
  return { content, weaker, overruled };
}

/** Whether a key or a section holds a safeguard. No session can change such a key. */
export function hasSafeguard(key: string): boolean {
  return Object.keys(SAFEGUARDS).some((each) => `${each}.`.startsWith(`${key}.`));
}

function isWeaker(key: string, value: unknown, than: unknown): boolean {
  const strongest = SAFEGUARDS[key](than, value);
  return Array.isArray(value)
    ? value.some((topic) => !(strongest as unknown[]).includes(topic))
    : strongest !== value;
}

function msOf(timeout: unknown): number {
  return parseDuration(String(timeout)) ?? Infinity; // `never`
}
