// The stem of an English word, after Porter's algorithm of 1980 as lunr implements it: "decided", "decides" and
// "deciding" become one. A word of any other alphabet is its own stem. The stemmer of lunr is not used, because it
// takes 24 ms to load, longer than a search; the tests compare the two. Pure.

type Endings = ReadonlyArray<readonly [ending: string, becomes: string]>;

const STEP_2: Endings = endings(
  "ational:ate tional:tion ization:ize ation:ate ator:ate enci:ence anci:ance izer:ize biliti:ble",
  "bli:ble alli:al entli:ent ousli:ous eli:e alism:al iveness:ive fulness:ful ousness:ous aliti:al",
  "iviti:ive logi:log",
);

const STEP_3: Endings = endings("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");

/** Each ending stands before the shorter endings that it ends in. */
const STEP_4: Endings = endings(
  "ance: ence: able: ible: ement: ment: ent: ant: ism: ate: iti: ous: ive: ize: al: er: ic: ou:",
);

const WORD = /^[a-z]{3,}$/;

// A group of consonants, or of vowels. A y may begin either group, but never continues one.
const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
const PAIR = `${VOWELS}${CONSONANTS}`;

// Conditions on how often vowels are followed by consonants: at least once, exactly once, and at least twice.
const AT_LEAST_ONCE = new RegExp(`^(?:${CONSONANTS})?${PAIR}`);
const ONCE = new RegExp(`^(?:${CONSONANTS})?${PAIR}(?:${VOWELS})?$`);
const TWICE = new RegExp(`^(?:${CONSONANTS})?(?:${PAIR}){2}`);

const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?[aeiouy]`);
/** Matches consonants, one vowel, and a consonant other than w, x and y. */
const SHORT = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);

/** Returns the stem of a word in lower case. */
export function stem(word: string): string {
  if (!WORD.test(word)) return word;
  // A y at the start is never a vowel; the capital keeps it out of the patterns.
  let w = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  if (w.endsWith("s")) w = w.replace(/(?<=.)(?:(ss|i)es|([^s])s)$/, "$1$2");
  w = withoutPast(w);
  if (w.endsWith("y")) w = w.replace(/(?<=.[^aeiou])y$/, "i");
  w = replaceEnding(w, STEP_2, AT_LEAST_ONCE) ?? w;
  w = replaceEnding(w, STEP_3, AT_LEAST_ONCE) ?? w;
  w = replaceEnding(w, STEP_4, TWICE) ??
    (/.[st]ion$/.test(w) ? replaceEnding(w, [["ion", ""]], TWICE)! : w);
  if (w.endsWith("e")) {
    const rest = w.slice(0, -1);
    if (TWICE.test(rest) || ONCE.test(rest) && !SHORT.test(rest)) w = rest;
  }
  if (w.endsWith("ll") && TWICE.test(w)) w = w.slice(0, -1);
  return w.startsWith("Y") ? `y${w.slice(1)}` : w;
}

function withoutPast(w: string): string {
  if (w.endsWith("eed") && w.length > 3) {
    return AT_LEAST_ONCE.test(w.slice(0, -3)) ? w.slice(0, -1) : w;
  }
  const rest = w.endsWith("ed") ? w.slice(0, -2) : w.endsWith("ing") ? w.slice(0, -3) : w;
  if (rest === w || !HAS_VOWEL.test(rest)) return w;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return /(?:at|bl|iz)$/.test(rest) || SHORT.test(rest) ? `${rest}e` : rest;
}

/**
 * Replaces the first ending that fits. Returns the word unchanged if it is too short without the ending, and undefined
 * if no ending fits.
 */
function replaceEnding(w: string, endings: Endings, long: RegExp): string | undefined {
  for (const [ending, becomes] of endings) {
    if (!w.endsWith(ending) || w.length === ending.length) continue;
    const rest = w.slice(0, -ending.length);
    return long.test(rest) ? rest + becomes : w;
  }
  return undefined;
}

function endings(...lists: string[]): Endings {
  return lists.join(" ").split(" ").map((pair) => pair.split(":") as [string, string]);
}
