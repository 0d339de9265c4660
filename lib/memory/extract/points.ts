// The points that a message in markdown makes: a sentence with those that refer to it, an item with
// what stands below it, or a titled list as one. Pure.

import { type Block, blocksOf } from "./blocks.ts";
import { TECHNICAL } from "./kind.ts";
import { sentencesOf } from "./sentences.ts";

/** One point, word for word, but for what joins its parts. */
export interface Point {
  text: string;
  /** Whether a heading or a sentence above says that it is a plan, a check or a list of files. */
  isAside: boolean;
}

/** More do not belong to one point. */
const LONGEST = 380;

const LONGEST_TITLE = 120;

/** Above what is to be done, was checked, can be chosen or shows how something is used. */
const ASIDE =
  /\b(?:plan|proposal|propos(?:ed|es)|options?|alternatives?|next|to-?dos?|still (?:open|to do)|open|remaining|verif\w+|validat\w+|tests?|testing|coverage|test plan|files?(?: (?:changed|modified|updated|touched|created))?|how to|usage|run it|example|concerns?|suggestions?|recommend\w*|observations?|benefits?|what (?:I|we)(?:'ll| will| would)|want|would|could|should|references?|sources?|workaround|impact|improvements?|scenario|edge cases?|assumptions?|skipped|status|limitations?|before|draft|possible|ways|choices?)\b|\?\W*$/i;

/** A title that names nothing. */
const EMPTY_TITLE =
  /^\W{0,9}(?:summary|(?:the |key |main )?changes?(?: made)?|what (?:changed|I (?:did|changed|added))|code changes?|results?|overview|details?|done|the (?:fix|bug|problem|solution)|fix(?:es)?|solution|problem|root cause|conclusion|key (?:points|changes|findings)|updated|implementation|notes?|key (?:parts|pieces)|decisions?|cause|findings)\b\W*$/i;

/** At the start of a sentence that says something of what the one before it named. */
const REFERS =
  /^(?:(?:However|But|Also|So|And|Instead|Specifically|Otherwise)[, ]+)?(?:it|its|they|this|that|these|those|which|both)(?:'s|'re)?\b/i;

/** What was wrong, and what was done about it, each in a paragraph with its name. */
const NAMED_PART =
  /^\W*(?:problem|root cause|cause|bug|issue|fix|solution|after|behavio(?:u)?r|result|why)\b[^.:]{0,30}[:\u2013\u2014-]/i;

/** The points, in order. */
export function* pointsIn(markdown: string): Generator<Point> {
  let title = "";
  let lead: string | undefined;
  let parts: string[] = [];
  const joined = (): Point[] => {
    const [first, ...rest] = parts;
    parts = [];
    if (first === undefined) return [];
    const isAside = ASIDE.test(title) || (lead !== undefined && ASIDE.test(lead));
    const head = lead ?? (TECHNICAL.test(title) ? `${title}:` : "");
    const whole = [head, [first, ...rest].map(withoutStop).join("; ")].filter((part) =>
      part !== ""
    );
    const text = whole.join(" ");
    const isOne = head !== "" && text.length <= LONGEST;
    if (isOne) return [{ text, isAside }];
    return [first, ...rest].map((each) => ({ text: withHead(head, each), isAside }));
  };
  let above: Block | undefined;
  for (const block of blocksOf(markdown, { readQuotes: true })) {
    const said = block.text.trim();
    if (block.kind === "item") {
      if (above?.kind === "item" && block.indent > above.indent && parts.length > 0) {
        const last = parts.length - 1;
        const mark = parts[last].endsWith(":") ? " " : parts[last].includes(": ") ? "; " : ": ";
        const longer = `${withoutStop(parts[last])}${mark}${said}`;
        if (longer.length <= LONGEST) parts[last] = longer;
        continue;
      }
      above = block;
      parts.push(said);
      continue;
    }
    yield* joined();
    above = block;
    if (block.kind === "heading") {
      title = titleOf(said);
      lead = undefined;
      continue;
    }
    if (block.kind === "row") {
      yield { text: said, isAside: true };
      continue;
    }
    const sentences = withReferents(sentencesOf(said));
    lead = undefined;
    if (sentences.at(-1)?.endsWith(":")) lead = sentences.pop();
    const isAside = ASIDE.test(title);
    for (const text of NAMED_PART.test(said) ? [sentences.join(" ")] : sentences) {
      yield { text, isAside };
    }
    if (lead !== undefined && titleOf(lead) === "") lead = undefined;
  }
  yield* joined();
}

/** Without its number; empty if it names nothing. */
function titleOf(heading: string): string {
  const title = heading.slice(0, LONGEST_TITLE).replace(/^\W{0,9}\d{1,3}[.)]\s*/, "");
  return EMPTY_TITLE.test(title) && !ASIDE.test(title) ? "" : title;
}

/** An item that does not say what it is about stands behind what does. */
function withHead(head: string, item: string): string {
  return head !== "" && !TECHNICAL.test(item) && TECHNICAL.test(head) ? `${head} ${item}` : item;
}

function withoutStop(text: string): string {
  return text.replace(/[.;,]$/, "");
}

/** Puts a sentence that only means something by "it" or "this" behind the one that says what. */
function withReferents(sentences: readonly string[]): string[] {
  const whole: string[] = [];
  for (const sentence of sentences) {
    const before = whole.at(-1);
    const refers = before !== undefined && REFERS.test(sentence) && !/[:?]$/.test(before) &&
      !/[:?]$/.test(sentence);
    if (refers && before.length + sentence.length < LONGEST) {
      whole[whole.length - 1] = `${before} ${sentence}`;
    } else {
      whole.push(sentence);
    }
  }
  return whole;
}
