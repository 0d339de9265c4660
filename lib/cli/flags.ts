// Which words of a command line are flags. A word is one when a dash or two, a letter and no space begin it:
// `-1`, `-` and `- an item` are values. PowerShell's spelling `-MaxRounds` is `--max-rounds`. Pure.

/** The flag in it, without the value; undefined where it is a value. */
export function flagIn(word: string): string | undefined {
  return /^--?[A-Za-z][^\s=]*(?==|$)/.exec(word)?.[0];
}

/** The same flag, PowerShell's spelling `-MaxRounds` as `--max-rounds`. */
export function longName(flag: string): string {
  if (!/^-[A-Z][A-Za-z]+$/.test(flag)) return flag;
  return `-${flag.slice(1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether a flag is there, before any `--`. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word) => longName(flagIn(word) ?? "") === flag);
}
