// How rare it is in English prose and in names of code that one letter follows another. Pure.
//
// Derived by `tests/redact/letter_pairs.ts` from the prose of its dev half; a test compares them.

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
