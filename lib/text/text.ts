// Makes text written by agents safe for the place where it is shown. Pure.
//
// Guaranteed: nothing in the text runs, hides, moves the cursor, changes the direction of reading or
// starts a line of its own. Characters that would are replaced by a visible escape such as `\u{1b}`,
// never removed, because the remaining text could form an escape sequence. Text in any script and emoji
// stay unchanged.
//
// Not guaranteed: that the text is true or kind. Look-alike letters pass, and so does a sentence
// written to persuade a model. A text that contains a literal `\u{1b}` looks as if it was escaped.
// Zero-width joiners outside emoji are shown even where Persian or Indic spelling uses them.
//
// Colours are added to safe text (DESIGN section 7).

const encoder = new TextEncoder();
const scratch = new Uint8Array(65_536);

const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Returns a function that compiles an expression when first needed: most text is ASCII, and Unicode properties are
 * slow.
 */
function lazy(source: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined;
  return () => compiled ??= new RegExp(source, flags);
}

const EMOJI = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?`;

/** Controls, lone surrogates, line separators, and characters without a glyph (joiners, bidi, tags). */
const HIDDEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`;

/** Matches emoji with legitimate joiners and selectors: at most four are joined, as in a family. */
const JOINED_EMOJI = String.raw`${EMOJI}(?:\u200d${EMOJI}){1,3}|\p{Emoji}[\ufe0e\ufe0f]`;

/** Matches emoji to keep (captured), or a character to replace: a hidden one, or the ninth mark in a row. */
const suspect = lazy(String.raw`(${JOINED_EMOJI})|${HIDDEN}|(?<=\p{M}{8})\p{M}`, "gu");

/** Matches a unit that safe text keeps whole: an emoji or a character, with its marks. */
const cluster = lazy(String.raw`(?:${EMOJI}(?:\u200d${EMOJI})*|.)\p{M}*`, "gu");

const zeroColumns = lazy(String.raw`^[\p{Mn}\p{Me}\u200d]$`, "u");

const twoColumns = lazy(
  String.raw`\p{Emoji_Presentation}|[\ufe0f\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f` +
    String.raw`\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6` +
    String.raw`\u{16fe0}-\u{18fff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]`,
  "u",
);

/** Matches in JSON: a lone surrogate (captured), another escape to skip, or a raw character to replace. */
const jsonSuspect = lazy(
  String.raw`(\\ud[89a-f]..)|\\.|(?!\n)${HIDDEN}|\p{M}(?<=\p{M}{9})`,
  "gu",
);

/** Matches characters that might end a label of Mermaid, or count as markup there. */
const mermaidSuspect = lazy(String.raw`[^\p{L}\p{M}\p{N} @.,:/-]`, "gu");

/** Replacements of layout characters; all other characters become `\u{hex}`. */
const SHOWN_AS: Record<string, string> = { "\t": "    ", "\n": "\\n", "\r": "\\r" };

const MAX_BLOCK_CHARACTERS = 11_700; // below 12,000 with the note and the fences

/** Makes text safe for one line of a terminal; a longer line is cut and ends in `...`. */
export function terminalLine(text: string, maxWidth = Infinity): string {
  if (!(maxWidth >= 1)) {
    throw new RangeError(`Cannot cut text to "${maxWidth}" columns: it must be at least 1`);
  }
  const line = reveal(text);
  if (displayWidth(line) <= maxWidth) return line;
  let kept = "";
  let room = maxWidth - 3;
  for (const [part] of line.matchAll(cluster())) {
    room -= displayWidth(part);
    if (room < 0) break;
    kept += part;
  }
  return kept + "...".slice(0, maxWidth);
}

/** Makes text safe for a cell of a table: one line of exactly `width` columns, cut or padded. */
export function fitCell(text: string, width: number): string {
  const line = terminalLine(text, width);
  return line + " ".repeat(width - displayWidth(line));
}

export interface TerminalBlockOptions {
  /** The start of every line, so that no line of the text looks like one of ours. */
  indent: string;
  /**
   * Columns of a line with its indent; longer lines are wrapped. On a terminal, give its width, because lines that the
   * terminal wraps itself start in the first column.
   */
  width?: number;
}

/**
 * Makes text safe for several lines of a terminal, fewer than 12,000 characters in all. If lines were left out, the
 * last line gives their number.
 */
export function terminalBlock(text: string, options: TerminalBlockOptions): string[] {
  const { indent, width = 1_000 } = options;
  const columns = width - displayWidth(indent);
  if (indent === "" || !(columns >= 1)) {
    throw new RangeError(
      `Cannot indent by "${indent}" in ${width} columns: at least one must be left`,
    );
  }
  return limit(wrapLines(text, columns).map((line) => indent + line), indent);
}

/** Like {@linkcode terminalBlock}, but for text of any length: nobody can agree to a part that is not shown. */
export function wholeBlock(text: string, options: TerminalBlockOptions): string[] {
  return (text.match(/.{1,5000}/gu) ?? []).flatMap((part) => terminalBlock(part, options));
}

/**
 * Makes lines that are safe for a terminal inert in markdown: in a fenced block that none of them
 * can end, no tag, comment, image, link, mention, issue keyword, heading or table has an effect.
 */
export function markdownFence(lines: readonly string[]): string {
  const runs = lines.join("\n").match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  return [`${fence}text`, ...lines, fence].join("\n");
}

/**
 * Makes text inert within a line of markdown: in its code span, no tag, link, mention, issue number or emphasis has an
 * effect. Not for a cell of a table, because a vertical bar ends the cell even in a code span.
 */
export function markdownLine(text: string, maxWidth = 200): string {
  const line = terminalLine(text, maxWidth);
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`; // markdown takes one space off each end
}

/** Makes text inert in a quoted label of a Mermaid diagram; special characters become `#code;`. */
export function mermaidLabel(text: string): string {
  return reveal(text).replace(mermaidSuspect(), (found) => `#${found.codePointAt(0)};`);
}

/**
 * Encodes a value as JSON that is inert on a terminal: controls, line separators, bidi marks,
 * invisible characters and the ninth mark in a row are written as `\uXXXX`. Every well-formed
 * string comes back exactly; a lone surrogate, which UTF-8 cannot hold, becomes U+FFFD.
 */
export function encodeJson(value: unknown, indent?: number): string {
  const json: string | undefined = JSON.stringify(value, null, indent);
  if (json === undefined) {
    throw new TypeError(`Cannot encode "${typeof value}": JSON has no such type`);
  }
  if (isPlain(json)) return json;
  return json.replace(jsonSuspect(), (found, loneSurrogate?: string) => {
    if (loneSurrogate !== undefined) return "\\ufffd";
    return found.startsWith("\\") ? found : found.split("").map(jsonEscape).join("");
  });
}

/**
 * Whether JSON needs no escapes: most JSON is ASCII, with as many bytes as characters, and this check is much faster.
 */
function isPlain(json: string): boolean {
  const bytes = json.length <= scratch.length
    ? encoder.encodeInto(json, scratch).written
    : encoder.encode(json).length;
  return bytes === json.length && !json.includes("\x7f") && !json.includes("\\ud");
}

/**
 * Counts the columns of one line of safe text on a terminal. Terminals disagree about emoji and rare scripts; the
 * larger count is used, so that a line is never longer than counted.
 */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const [character] of text.matchAll(/.\ufe0f?/gsu)) {
    columns += zeroColumns().test(character) ? 0 : twoColumns().test(character) ? 2 : 1;
  }
  return columns;
}

function reveal(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(
    suspect(),
    (found, emoji?: string) =>
      emoji ?? SHOWN_AS[found] ?? `\\u{${found.codePointAt(0)!.toString(16)}}`,
  );
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function wrapLines(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => [...wrap(reveal(line), columns)]);
}

/** Breaks a line between words, and inside a word only if the word is longer than a line. */
function* wrap(line: string, columns: number): Generator<string> {
  let row = "";
  let used = 0;
  for (const [word] of line.matchAll(/^ +|[^ ]+ */g)) {
    const parts = displayWidth(word.trimEnd()) > columns ? word.match(cluster())! : [word];
    for (const part of parts) {
      if (used > 0 && used + displayWidth(part.trimEnd()) > columns) {
        yield row.trimEnd();
        row = "";
        used = 0;
      }
      row += part;
      used += displayWidth(part);
    }
  }
  yield row.trimEnd();
}

/** Keeps as many lines as {@linkcode MAX_BLOCK_CHARACTERS} allows. */
function limit(lines: string[], indent: string): string[] {
  let room = MAX_BLOCK_CHARACTERS - indent.length;
  const kept = lines.findIndex((line) => (room -= line.length + 1) < 0);
  if (kept < 0) return lines;
  return [...lines.slice(0, kept), `${indent}... (lines left out: ${lines.length - kept})`];
}
