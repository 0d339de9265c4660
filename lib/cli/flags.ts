// Determines which words of a command line are flags: words that begin with one or two dashes and a letter, and contain
// no space. `-1`, `-` and `- an item` are values. PowerShell's spelling `-MaxRounds` means `--max-rounds`. Pure.

/** Returns the flag in a word, without its value; undefined if the word is a value. */
export function flagIn(word: string): string | undefined {
  return /^--?[A-Za-z][^\s=]*(?==|$)/.exec(word)?.[0];
}

/** Returns a flag in its long spelling: PowerShell's `-MaxRounds` becomes `--max-rounds`. */
export function longName(flag: string): string {
  if (!/^-[A-Z][A-Za-z]+$/.test(flag)) return flag;
  return `-${flag.slice(1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether the words before any `--` contain a flag. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word) => longName(flagIn(word) ?? "") === flag);
}
