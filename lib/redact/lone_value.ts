// Finds secret values without a known prefix and without a naming word right before them. A token is rarer than any
// word. The text before a hash on its line shows whether the hash is the key of a service. Pure.

import { decodeBase64 } from "./escapes.ts";
import { canStandIn, type FileKind } from "./file_kind.ts";
import { isPlaceholder, partLength } from "./looks_like_secret.ts";
import { RARE, rarity, VERY_RARE } from "./letter_pairs.ts";
import { LONE } from "./rules/lone_values.ts";
import { PROVIDERS } from "./rules/providers.ts";
import type { Rule } from "./rules/rule.ts";
import { VALUES } from "./rules/values.ts";
import { type Secret, secretOf, secretsIn } from "./secret.ts";

const LONGEST_LEAD = 64;
/**
 * The number of words before a value that may mark it as a secret, and the number of them that may mark it as a hash.
 */
const WORDS_BEFORE = 6;
const WORDS_THAT_EXEMPT = 2;
const WORDS_OF_HASH = 4;

const LEAST_NAMED = 12;
const LEAST_HASH = 16;
const LEAST_LONE = 16;
const [LEAST_ALONE, LONGEST_ALONE] = [20, 100];
const LONGEST_RUN = 6;

let services: ReadonlySet<string> | undefined;

/** Returns a reader that finds the values that the rules' patterns match. */
export function createLoneValueReader(
  rules: readonly Rule[],
): (text: string, file?: FileKind) => Iterable<Secret> {
  return function* (text, file) {
    const isInFile = file !== undefined;
    for (const rule of rules) {
      for (const { text: value, start } of secretsIn(text, rule.pattern)) {
        if (!LONE.mixed.test(value)) continue;
        if (file && !canStandIn(file, rule, { text, start, value })) continue;
        if (LONE.declared.test(text.slice(start, start + LONGEST_ALONE))) continue;
        const leads = leadsOf(text, start);
        const isAlone = standsAlone(text, start, value);
        const name = LONE.beforePair.test(leads[0]) && LONE.ofPair.exec(value)?.[0] || "";
        const rest = value.slice(name.length);
        if (leads.some((lead) => isSecret(value, lead, { isAlone, isInFile }))) {
          yield inQuotes(text, secretOf(rule, text, start, value));
        } else if (name !== "" && isSecret(rest, leads[0] + name, { isInFile })) {
          yield secretOf(rule, text, start + name.length, rest);
        }
      }
    }
  };
}

/**
 * Returns the words before a value on its line. If the value is alone on its line, also returns the last line above
 * it that has a word.
 */
function leadsOf(text: string, at: number): string[] {
  const lines = text.slice(Math.max(0, at - LONGEST_LEAD), at).split("\n");
  const lead = lines.pop()!;
  const above = VALUES.wordUnit.test(lead)
    ? undefined
    : lines.findLast((line) => VALUES.wordUnit.test(line));
  return above === undefined || LONE.run.test(above) ? [lead] : [lead, above];
}

/** Whether a value has a line of its own, between lines without values. */
function standsAlone(text: string, at: number, value: string): boolean {
  if (value.length < LEAST_ALONE || value.length > LONGEST_ALONE) return false;
  const end = at + value.length;
  const [lead, above = ""] = text.slice(Math.max(0, at - LONGEST_ALONE), at).split("\n").reverse();
  const [rest, below = ""] = text.slice(end, end + LONGEST_ALONE).split("\n");
  return LONE.margin.test(lead) && LONE.margin.test(rest) && !LONE.tells.test(value) &&
    !LONE.body.test(above) && !LONE.body.test(below);
}

/**
 * Extends a secret to the whole text in its quotation marks. Between them, a token may have marks that tokens do not
 * have elsewhere.
 */
function inQuotes(text: string, secret: Secret): Secret {
  const { start, end } = secret;
  const before = LONE.quoteBefore.exec(text.slice(Math.max(0, start - LONGEST_LEAD), start));
  const after = LONE.quoteAfter.exec(text.slice(end, end + LONGEST_LEAD));
  if (before === null || after === null) return secret;
  return { ...secret, start: start - before[1].length, end: end + after[1].length };
}

/**
 * Whether a value is a secret. In a file, a word before the value or a prefix must mark it, because ids and digests
 * have neither.
 */
function isSecret(
  value: string,
  lead: string,
  { isAlone = false, isInFile }: { isAlone?: boolean; isInFile: boolean },
): boolean {
  const isHash = LONE.hash.test(value);
  if (!isHash && rarity(value) < RARE) return false;
  if (isPlaceholder(value) || LONE.known.test(value) || LONE.exemptLead.test(lead)) return false;
  if (isName(value) || isAlphabet(value) || isReadable(value)) return false;
  if (LONE.zeros.test(value)) return false;
  const words = lead.toLowerCase().match(LONE.words)?.slice(-WORDS_BEFORE) ?? [];
  if (words.slice(-WORDS_THAT_EXEMPT).some((word) => LONE.exemptWord.test(word))) return false;
  const isNamed = LONE.keyWord.test(words.join(" "));
  if (isHash) {
    return value.length >= LEAST_HASH && (LONE.keyOf.test(lead) || LONE.loudKeyOf.test(lead) ||
      (isNamed || LONE.assigned.test(lead)) && namesService(words.slice(-WORDS_OF_HASH)) ||
      namesService(words.slice(-1)));
  }
  if (!isNamed && LONE.parameter.test(lead)) return false;
  if (isNamed || namesService(words)) return value.length >= LEAST_NAMED;
  if (LONE.digest64.test(value)) return false;
  const tail = LONE.prefixed.exec(value)?.[1] ?? "";
  return rarity(tail) >= VERY_RARE && !LONE.idPrefix.test(value) ||
    !isInFile && value.length >= LEAST_LONE && (isAlone || LONE.assigned.test(lead)) &&
      rarity(value) >= VERY_RARE &&
      !LONE.id.test(value);
}

/** Whether a value is a name of words in camel case or joined with `_`. Its words are longer than by chance. */
function isName(value: string): boolean {
  const least = LONE.snakeCase.test(value) ? 2.5 : value.length < LEAST_ALONE ? 2.7 : 4;
  return LONE.name.test(value) && partLength(value) >= least;
}

/** Whether a value has letters or digits in alphabetical order, as tables and examples do. */
function isAlphabet(value: string): boolean {
  let run = 1;
  for (let at = 1; at < value.length && run < LONGEST_RUN; at++) {
    run = value.charCodeAt(at) === value.charCodeAt(at - 1) + 1 ? run + 1 : 1;
  }
  return run >= LONGEST_RUN;
}

/** Whether a value is a text in Base64. */
function isReadable(value: string): boolean {
  const hidden = decodeBase64(value.replace(LONE.base64, ""));
  return hidden !== undefined && LONE.text.test(hidden);
}

/**
 * Whether a word, or two words in a row such as `message-bird`, name a service. An ending such as `token` after the
 * service's name is ignored.
 */
function namesService(words: readonly string[]): boolean {
  services ??= new Set(PROVIDERS.trim().split(/\s/));
  return words.some((word, at) =>
    [word, `${words[at - 1] ?? ""}${word}`].some((name) =>
      services!.has(name) || services!.has(name.replace(LONE.nameEnd, ""))
    )
  );
}
