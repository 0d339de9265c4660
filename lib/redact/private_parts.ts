// The parts of a text between `<private>` and `</private>`. Pure.
//
// Guaranteed: such a part is found over several lines, messages or blocks of a session, nested, in upper or lower
// case, with attributes or blanks in the tag, spelled as `&lt;private&gt;` or `\u003cprivate\u003e`, and with
// invisible characters in the tag. A part without an end tag continues to the end of its message.
//
// A tag in backticks is only mentioned, and neither starts nor ends a part. The same holds for a tag without an end
// tag in its message if it is in quotation marks or in a sentence about it ("the <private> tag"). Otherwise such a
// mention would cut the rest of the message.

import { NOTHING_SAID, PRIVATE_TAG, QUOTES, SENTENCE_AFTER } from "./rules/markup.ts";
import { replaceSecrets, type Secret } from "./secret.ts";
import { visibleText } from "./visible_text.ts";

interface Tag {
  /** The index of the tag's text. */
  place: number;
  start: number;
  end: number;
  isClosing: boolean;
  /** Whether the tag opens a part only if an end tag follows in the same text. */
  needsEnd: boolean;
}

type Pair = [from: Tag, to: Tag];

/** Replaces each private part of a text by a marker. An end tag without a start tag stays. */
export function cutPrivate(text: string): string {
  return cutPrivateParts([text])[0];
}

/** Like {@linkcode cutPrivate}, for the texts of a session. A part may continue over several texts. */
export function cutPrivateParts(texts: readonly string[]): string[] {
  const parts = privateParts(texts);
  return texts.map((text, place) => replaceSecrets(text, parts[place]));
}

/** Cuts closed private parts from a recording that is not yet split into messages. */
export function cutClosedParts(text: string): string {
  const tags = tagsIn(text, 0).filter(({ needsEnd }) => !needsEnd);
  return replaceSecrets(text, merged(pairsOf([tags]).pairs, [text])[0]);
}

/** Returns the private parts of each text of a session, by position and without overlaps. */
export function privateParts(texts: readonly string[]): Secret[][] {
  const { pairs, open } = pairsOf(texts.map(tagsIn));
  const rest = open.map((from): Pair => [from, { ...from, end: texts[from.place].length }]);
  return merged([...pairs, ...rest], texts);
}

function pairsOf(tags: readonly Tag[][]): { pairs: Pair[]; open: Tag[] } {
  const pairs: Pair[] = [];
  let open: Tag[] = [];
  for (const tagsOfText of tags) {
    for (const tag of tagsOfText) {
      if (!tag.isClosing) open.push(tag);
      else if (open.length > 0) pairs.push([open.pop()!, tag]);
    }
    open = open.filter(({ needsEnd }) => !needsEnd);
  }
  return { pairs, open };
}

function merged(pairs: Pair[], texts: readonly string[]): Secret[][] {
  const parts: Secret[][] = texts.map(() => []);
  for (const [from, to] of pairs.sort(([a], [b]) => a.place - b.place || a.start - b.start)) {
    for (let place = from.place; place <= to.place; place++) {
      const start = place === from.place ? from.start : 0;
      const end = place === to.place ? to.end : texts[place].length;
      const last = parts[place].at(-1);
      if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
      else if (start < end) parts[place].push({ start, end, kind: "private" });
    }
  }
  return parts;
}

function tagsIn(text: string, place: number): Tag[] {
  const visible = visibleText(text);
  const tags: Tag[] = [];
  for (const { index, 0: tag, 1: slash, 2: empty } of visible.text.matchAll(PRIVATE_TAG)) {
    const [before, after] = [visible.text[index - 1], visible.text[index + tag.length]];
    if (empty || before === "`" && after === "`") continue;
    const isQuoted = after !== undefined && QUOTES.get(before) === after;
    tags.push({
      place,
      ...visible.original(index, index + tag.length),
      isClosing: slash !== "",
      needsEnd: isQuoted || isTalk(visible.text, index, index + tag.length),
    });
  }
  return tags;
}

function isTalk(text: string, start: number, end: number): boolean {
  return SENTENCE_AFTER.test(text.slice(end, end + 40)) &&
    !NOTHING_SAID.test(text.slice(Math.max(0, start - 40), start));
}
