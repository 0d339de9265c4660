/**
 * Secrets made by shape from a fixed seed: no secret stands in the source, and every run has the same.
 *
 * A template holds `{name:length}` for random characters, `@[...]@` around what must not survive,
 * and `~[...]~` around what may go or stay. All other words must stay.
 *
 * @module
 */

import { type LabelledCase, visible } from "./score.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

const ALPHABETS: Record<string, string> = {
  an: UPPER + LOWER + DIGITS,
  b32: UPPER + "234567",
  b58: (UPPER + LOWER + DIGITS).replace(/[0OIl]/g, ""),
  b64: UPPER + LOWER + DIGITS + "+/",
  b64u: UPPER + LOWER + DIGITS + "-_",
  d: DIGITS,
  hex: DIGITS + "abcdef",
  HEX: DIGITS + "ABCDEF",
  low: LOWER + DIGITS,
  up: UPPER + DIGITS,
  letters: UPPER + LOWER,
};

const WORDS =
  ("amber anvil badger bamboo beacon bottle candle canyon cobalt copper dagger falcon " +
    "garden ginger glacier hammer harbor hazel island jacket jungle kettle ladder lantern magnet " +
    "marble meadow mirror nickel orchid paddle pepper pillow planet pocket puzzle quartz ribbon " +
    "rocket saddle salmon shadow silver spider summer temple thunder timber tunnel velvet violet " +
    "walnut whisper window winter").split(" ");

const PLACE = /\{([A-Za-z0-9]+):(\d+)\}/g;

/**
 * @param seed any integer
 * @returns a function that draws integers below its argument, the same ones for the same seed
 */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * @param templates by class of secret, in the notation of this module
 * @param options `seed` of the values; `times` each template is used, with other values each time
 * @returns one case for each use of each template
 */
export function makeCases(
  templates: Record<string, readonly string[]>,
  { seed, times }: { seed: number; times: number },
): LabelledCase[] {
  const random = randomFrom(seed);
  return Object.entries(templates).flatMap(([name, texts]) =>
    Array.from({ length: times }, () => texts.map((text) => makeCase(name, text, random))).flat()
  );
}

/**
 * @param tokens shapes of one provider's tokens
 * @param contexts texts with `@@` where a token stands
 * @param options `from`: the context to begin with; `count`: how many templates
 * @returns templates in which tokens and contexts take turns
 */
export function inContexts(
  tokens: readonly string[],
  contexts: readonly string[],
  { from, count }: { from: number; count: number },
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const token = tokens[index % tokens.length];
    return contexts[(from + index) % contexts.length].replaceAll("@@", () => `@[${token}]@`);
  });
}

/**
 * @param kind such as `RSA PRIVATE KEY`
 * @param options `lines` of the body; `newline` between lines; `end`: whether the last line is there
 * @returns a template of a PEM block, each line of its body marked as secret
 */
export function pem(
  kind: string,
  { lines = 6, newline = "\n", end = true }: { lines?: number; newline?: string; end?: boolean } =
    {},
): string {
  const dashes = "-".repeat(5);
  const body = Array.from(
    { length: lines },
    (_, index) => `@[${index === 0 ? "MIIE" : ""}{b64:${index === lines - 1 ? 44 : 60}}]@`,
  );
  const last = end ? [`~[${dashes}END ${kind}${dashes}]~`] : [];
  return [`~[${dashes}BEGIN ${kind}${dashes}]~`, ...body, ...last].join(newline);
}

/** A signed JSON web token. */
export const JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{b64u:48}.{b64u:43}";

function makeCase(name: string, template: string, random: (below: number) => number): LabelledCase {
  const text = template.replace(PLACE, (_, kind, length) => draw(kind, Number(length), random));
  const secrets = Array.from(text.matchAll(/@\[([\s\S]*?)\]@/g), (match) => visible(match[1]));
  const around = text.replace(/@\[[\s\S]*?\]@|~\[[\s\S]*?\]~|<[\s/]*private[^>]*>/gi, " ");
  return {
    class: name,
    text: text.replace(/@\[([\s\S]*?)\]@/g, "$1").replace(/~\[([\s\S]*?)\]~/g, "$1"),
    secrets,
    keep: [...new Set(visible(around).match(/[A-Za-z]{4,}/g) ?? [])],
  };
}

function draw(kind: string, length: number, random: (below: number) => number): string {
  const pick = (from: string | string[]) => from[random(from.length)];
  if (kind === "word") return pick(WORDS);
  if (kind === "phrase") return Array.from({ length }, () => pick(WORDS)).join("-");
  if (kind === "pw") {
    const body = Array.from({ length: length - 4 }, () => pick(ALPHABETS.an)).join("");
    return pick(LOWER) + body + pick(DIGITS) + pick("!*_+.") + pick(UPPER);
  }
  if (kind === "wordy") return pick(WORDS) + pick(["_", "-", ""]) + draw("d", length, random);
  const alphabet = ALPHABETS[kind];
  if (alphabet === undefined) throw new RangeError(`Cannot draw "${kind}": no such alphabet`);
  return Array.from({ length }, () => pick(alphabet)).join("");
}
