// Splits a text into the terms that a search finds it by. Pure.
//
// The terms are words of any alphabet, in lower case and without accents, English words by their stem. Compound names
// such as `retryQueue` give the whole name and its parts. Chinese, Japanese and Korean text, which has no spaces
// between words, gives overlapping pairs of characters.

import { stem } from "./stem.ts";

const ACCENTS = /[\u0300-\u036f]+/g;
const CJK_RANGES = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff` +
  String.raw`\u{20000}-\u{323af}`;

/** A run of CJK characters (captured), or a word of any other script. */
const WORD = new RegExp(`([${CJK_RANGES}]+)|(?:(?![${CJK_RANGES}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** Matches the joints of a compound name such as `parseHTTPHeader`. */
const JOINT = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const HAS_JOINT = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;

/** Words that nearly every text has. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a about after all also am an and any are as at be because been but by can could did do does " +
    "either else ever every for from get got had has have he her hers him his how however i if in " +
    "into is it its just least let like likely may me might most must my neither no nor not of off " +
    "often on only or other our own rather said say says she should since so some than that the " +
    "their them then there these they this those to too us was we were what when where which while " +
    "who whom why will with would yet you your").split(" "),
);

/** Maximum number of stems to keep while many texts are read; finding them takes most of the time. */
const MAX_STEMS = 20_000;

/**
 * Returns the terms of a text in their order, without stop words.
 *
 * @param stems the known stems by word; the call adds those that it finds, since words repeat
 */
export function termsOf(text: string, stems: Map<string, string> = new Map()): string[] {
  if (stems.size > MAX_STEMS) stems.clear();
  const terms: string[] = [];
  const add = (word: string) => {
    if (STOP_WORDS.has(word)) return;
    let found = stems.get(word);
    if (found === undefined) stems.set(word, found = stem(word));
    terms.push(found);
  };
  // A name is found as it is written, and by the words in it.
  const addName = (name: string) => {
    add(name.toLowerCase());
    if (HAS_JOINT.test(name)) { for (const word of name.split(JOINT)) add(word.toLowerCase()); }
  };
  for (const [word, cjk] of fold(text).matchAll(WORD)) {
    if (cjk === undefined) addName(word);
    else terms.push(...pairs(cjk));
  }
  return terms;
}

/** Converts full-width letters to plain ones, and removes accents, however they are encoded. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
}

function pairs(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index] + character);
}
