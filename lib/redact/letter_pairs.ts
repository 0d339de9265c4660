// Measures how rare a value is compared with words and names. A random value has pairs of letters that hardly any
// word has. So rarity tells a token from a long name, although both have the same entropy. Pure.
//
// `tests/redact/letter_pairs.ts` derives the table from the prose of its dev half; a test compares them.

/** The letters of a row and of a column; 0 is any digit, - anything else. */
export const LETTERS = "abcdefghijklmnopqrstuvwxyz0-";

/** The table, row by row. A letter encodes the bits of a pair in steps of half a bit: a is 0, z is 12.5. */
export const PAIRS: string = "rkiirokxmsohigzmzhigmlqlkukh" +
  "hooognzvikvhsxklvllpgzzzlzhe" +
  "iqnoiqzhlvikzzdwxjmhlxzzpzji" +
  "hpokeoozhuylqskyzmksmtyzqzid" +
  "jnjinlqtqnukliqmoggjumnjowle" +
  "hnnohkzzfztkzzfzzjqmkzzvivhg" +
  "mxvzfsklexuovmnuzklrkrzzjzxd" +
  "hvvvezvpjzwtorjrzlpefzzzqyrh" +
  "lnkkkjlytzpkjfgmwmgfvmzkzmwm" +
  "iwwwgwwwtwwtwwkwwtbtlliwtwrm" +
  "jyppemqskytytdoyyqkqiytysynf" +
  "ilskfsqtgzvgwwgpzskkjqtzkzuf" +
  "fmungznzholnipjhzvmznyxznyxe" +
  "kujhgmgvmsootnimzvghnptzqxwe" +
  "nmkiulkzqsokffnizgkmimlrzwzh" +
  "hyvmhzqqkzuhlwhkzhegjxzzqzvi" +
  "ttttttttntteqtqtttqtbttotttq" +
  "irmneplshznnlmhpzkjjkntzmzvf" +
  "lyluhtxljzsrqwjloqigiptwpzqc" +
  "jvnvhstfguyqquihzjjhmztzlywf" +
  "ofnogojzkywgjgvjzhhhwzyuyvyk" +
  "fytvcyjygvyyyylyvqqytyyyvygj" +
  "iyyygvsgeyqrykiyyljkyyiyvytf" +
  "itmthryqgvvyyyviyqtkyyyqmyqc" +
  "pqoomssunirlmlgfvojnuvrvturc" +
  "fpttcttnjttontkttnmtmtptngpi" +
  "mlmlllzyzzzzxzzzzzzvzzzwzxbe" +
  "ilillkkjjnmmllkktkjjmnlrpwhe";

const STEPS_PER_BIT = 2;
/** The steps added for a digit, because the table does not tell digits from each other. */
const STEPS_OF_DIGIT = 4;
const [A, DIGIT, OTHER] = [97, 26, 27];

/**
 * The highest rarity of a value made of words, in bits per character. A short random value may have the same rarity.
 */
export const COMMON = { short: 4, long: 5 };
/** The lowest rarity of a value that is probably not a name. */
export const RARE = 5.7;
/** The lowest rarity of a value that cannot be a name. */
export const VERY_RARE = 6.6;

let pairs: Uint8Array | undefined;

/** Returns the rarity in bits per character: up to 5 for names, about 8 for random letters and digits. */
export function rarity(value: string): number {
  pairs ??= Uint8Array.from(PAIRS, (step) => step.charCodeAt(0) - A);
  let steps = 0;
  let before = OTHER;
  for (let at = 0; at < value.length; at++) {
    const letter = letterOf(value.charCodeAt(at));
    steps += pairs[before * LETTERS.length + letter] + (letter === DIGIT ? STEPS_OF_DIGIT : 0);
    before = letter;
  }
  return steps / STEPS_PER_BIT / Math.max(1, value.length);
}

/** Returns the index of a character in {@linkcode LETTERS}, ignoring case. */
export function letterOf(code: number): number {
  const lower = code | 32;
  if (lower >= A && lower < A + DIGIT) return lower - A;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}
