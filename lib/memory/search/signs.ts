// Finds the signs that a query means as signs: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`. Pure.
//
// People often search for a command or an error: `npm install -g fails`, `rm -rf build`, `git reset HEAD~1`. Reading
// `-g` as our sign would hide the note that is wanted, while missing one of our signs only gives a few more hits. So in
// doubt, a character is not a sign.

const FIELD = "(?:content|agent|category|issue):";

/** Matches a sign: one before a word, a known field, a star in a word, or `~` or `^` with a digit after a word. */
const SIGNS = new RegExp(
  String.raw`(?:^|\s)[+-][\p{L}*]|(?:^|[\s+-])${FIELD}\S|[\p{L}\p{N}]\*|\*[\p{L}\p{N}]|` +
    String.raw`[\p{L}\p{N}][~^]\d`,
  "u",
);

/** Maximum length of a query with signs; a longer text was pasted. */
const MAX_LENGTH = 200;

/** Matches an option, or a character with a meaning to a shell but not in prose. */
const COMMAND =
  /(?<!\S)(?:--\p{L}|-\p{L}{1,2}(?![\p{L}*~^:])|-\p{Lu}|-\p{L}+[=.-]|(?:\.{0,2}|~)\/|\.(?!\S))|[|;<>$`\\]|&&/u;

/** Programs that take whole words, or several letters, after one dash. */
const PROGRAM =
  /^\s*(?:[$#]\s+)?(?:sudo\s+)?(?:cc|chmod|clang|ffmpeg|find|gcc|go|java|javac|ld|ls|openssl|ps|rsync|ssh|tar|terraform|xargs)\s/;

/** Matches the sign in a revision such as `HEAD~1`, which is not a fuzzy word. */
const REVISION = /(?<=(?<!\S)[A-Z_]{2,})[~^](?=\d)/g;

/** Matches a word with a sign of ours: the word has letters, and is not an option. */
const MEANT = new RegExp(
  String.raw`^(?:\+(?=[\p{L}*][\p{L}\p{M}\p{N}*])|-(?=[\p{L}*][\p{L}\p{M}\p{N}*]{2}))` +
    String.raw`[\p{L}\p{M}\p{N}*]+(?:[~^]\d+)*$`,
  "u",
);

const BEFORE_FIELD = new RegExp(`^[+-]${FIELD}`);

/** Returns the query with only the signs that are meant; undefined if it is plain words. */
export function withMeantSigns(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !SIGNS.test(text)) return undefined;
  const isCommand = COMMAND.test(text) || PROGRAM.test(text);
  const meant = text.replace(REVISION, " ").split(/\s+/).map((word) => {
    if (BEFORE_FIELD.test(word) || !isCommand && MEANT.test(word)) return word;
    return word.replace(/^[+-]+/, "");
  }).join(" ");
  return SIGNS.test(meant) ? meant : undefined;
}
