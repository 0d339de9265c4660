// Patterns for hidden characters, escapes, and the tags of private parts. Pure.

/** Matches a text with nothing to remove. Most texts match, so the view usually costs one pass. */
export const PLAIN: RegExp = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u02ff\u0400-\u052f\u4e00-\u9fff]*$/;

/** Matches a terminal color as source code and JSON spell it. */
export const SPELLED_COLOUR: RegExp = /\\(?:x1b|u001b|033|e)\[[0-9;]{0,20}[mK]/i;

/** Matches hidden characters. The capture is the text within a sequence. */
export const HIDDEN: RegExp = new RegExp(
  [
    String.raw`\x1b[\]PX^_]([^\x07\x1b\x9c]{0,4096})(?:\x07|\x1b\\|\x9c)?`,
    String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -\/]{0,8}[@-~]?`,
    String.raw`\x1b[ -\/]{0,4}[0-~]?`,
    SPELLED_COLOUR.source,
    String.raw`(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]`,
  ].join("|"),
  "giu",
);

/** Matches line breaks, tabs and marks as JSON and source code spell them. */
export const SPELLED: RegExp = /\\{1,3}(?:([nrt])|u00([23][0-9A-Fa-f]))/g;

/** Matches a tag. The captures are the slash of an end tag and the slash of an empty element. */
export const PRIVATE_TAG: RegExp =
  /(?:<|&lt;|\\u003c)\s{0,16}(\/?)\s{0,16}private(?=[\s/<>&\\]|$)(?:[^<>]{0,300}?(\/?)(?:>|&gt;|\\u003e))?/gi;

/** Matches the start of a line without any letter or digit. */
export const NOTHING_SAID: RegExp = /(?:^|\n)[^\p{L}\p{N}\n]{0,40}$/u;

/** Matches the text after a tag in a sentence about the tag. */
export const SENTENCE_AFTER: RegExp =
  /^(?:[.,;:!?)](?:\s|$)|[ \t]{1,4}(?:tags?|elements?|parts?|blocks?|sections?|marks?|markers?|markup|and|or|is|are|was|were|in|to|for|with|around|works?|means?|does|must|should|can|cannot)\b)/i;

/** The closing mark of each quotation. */
export const QUOTES: ReadonlyMap<string, string> = new Map([['"', '"'], ["'", "'"], ["(", ")"], [
  "\u201c",
  "\u201d",
]]);
