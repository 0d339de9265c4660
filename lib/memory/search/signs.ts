// Where the signs of a query are meant: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`. Pure.
//
// People often search for a command or an error: `npm install -g fails`, `rm -rf build`, `git reset HEAD~1`.
// Reading `-g` as our sign would hide the note that is wanted, while missing one of our signs only gives a few
// more hits. So in doubt it is not a sign.

const FIELD = "(?:content|agent|category|issue):";

/** A sign before a word, a known field, a star in a word, or a number after one: nothing else. */
const SIGNS = new RegExp(
  String.raw`(?:^|\s)[+-][\p{L}*]|(?:^|[\s+-])${FIELD}\S|[\p{L}\p{N}]\*|\*[\p{L}\p{N}]|` +
    String.raw`[\p{L}\p{N}][~^]\d`,
  "u",
);

/** Longer texts are what somebody works on, not a query that somebody wrote. */
const MAX_LENGTH = 200;

/** An option, or a character that means something to a shell and nothing in prose. */
const COMMAND =
  /(?<!\S)(?:--\p{L}|-\p{L}{1,2}(?![\p{L}*~^:])|-\p{Lu}|-\p{L}+[=.-]|(?:\.{0,2}|~)\/|\.(?!\S))|[|;<>$`\\]|&&/u;

/** Programs that take whole words, or several letters, after one dash. */
const PROGRAM =
  /^\s*(?:[$#]\s+)?(?:sudo\s+)?(?:cc|chmod|clang|ffmpeg|find|gcc|go|java|javac|ld|ls|openssl|ps|rsync|ssh|tar|terraform|xargs)\s/;

/** A revision such as `HEAD~1`: nobody doubts its letters. */
const REVISION = /(?<=(?<!\S)[A-Z_]{2,})[~^](?=\d)/g;

/** A sign before a word that can be one of ours: of letters, and no option. */
const MEANT = new RegExp(
  String.raw`^(?:\+(?=[\p{L}*][\p{L}\p{M}\p{N}*])|-(?=[\p{L}*][\p{L}\p{M}\p{N}*]{2}))` +
    String.raw`[\p{L}\p{M}\p{N}*]+(?:[~^]\d+)*$`,
  "u",
);

const BEFORE_FIELD = new RegExp(`^[+-]${FIELD}`);

/** The query with the signs that are meant, and no others; undefined where it is plain words. */
export function withMeantSigns(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !SIGNS.test(text)) return undefined;
  const isCommand = COMMAND.test(text) || PROGRAM.test(text);
  const meant = text.replace(REVISION, " ").split(/\s+/).map((word) => {
    if (BEFORE_FIELD.test(word) || !isCommand && MEANT.test(word)) return word;
    return word.replace(/^[+-]+/, "");
  }).join(" ");
  return SIGNS.test(meant) ? meant : undefined;
}
