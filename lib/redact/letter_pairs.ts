// Measures how rare a value is among words and names: a random value has pairs of letters that hardly any
// word has. This tells a token from a long name; entropy is as high for both. Pure.
//
// `tests/redact/letter_pairs.ts` derives the table from the prose of its dev half; a test compares them.

/** The letters of a row and of a column; 0 is any digit, - anything else. */
export const LETTERS = "abcdefghijklmnopqrstuvwxyz0-";

/** Row by row: a letter for the bits of the pair, a for 0 to z for 12.5, in halves. */
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
/** The table tells no digit from another. */
const STEPS_OF_DIGIT = 4;
const [A, DIGIT, OTHER] = [97, 26, 27];

/** Highest rarity of a value made of words, in bits per character; a short random value may be as low. */
export const COMMON = { short: 4, long: 5 };
/** Lowest rarity of a value that is hardly a name. */
export const RARE = 5.7;
/** Lowest rarity of a value that is no name at all. */
export const VERY_RARE = 6.6;

let pairs: Uint8Array | undefined;

/** Bits per character: up to 5 for names, about 8 for random letters and digits. */
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

/** The place of a character in {@linkcode LETTERS}, whatever its case. */
export function letterOf(code: number): number {
  const lower = code | 32;
  if (lower >= A && lower < A + DIGIT) return lower - A;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}
