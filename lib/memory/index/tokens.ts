// The terms that a search finds a text by. Pure.
//
// Words of any alphabet, in lower case, without accents, English ones by their stem; names that are
// put together from words, such as `retryQueue`, whole and in parts; Chinese, Japanese and Korean,
// which do not put spaces between words, as overlapping pairs of characters.

import { stem } from "./stem.ts";

const ACCENTS = /[\u0300-\u036f]+/g;
const CJK_RANGES = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff` +
  String.raw`\u{20000}-\u{323af}`;

/** A run of CJK characters (captured), or a word of any other script. */
const WORD = new RegExp(`([${CJK_RANGES}]+)|(?:(?![${CJK_RANGES}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** Where a name such as `parseHTTPHeader` is put together. */
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

/** Stems that are kept while many texts are read: finding them would take most of the time. */
const MAX_STEMS = 20_000;

/**
 * The terms of a text in their order, without stop words.
 *
 * @param stems gains those that are found, since words repeat
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
  // A name is found as it is written, and by the words that it is put together from.
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

/** Full-width letters become plain ones, and a letter loses its accents however it was spelt. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
}

function pairs(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index] + character);
}
