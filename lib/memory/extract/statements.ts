// Finds explicit statements: rules and choices of a person, and decisions. Pure.

import { MARKER } from "../../redact/secret.ts";
import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import { blocksOf, CODE_LINE, LOG_LINE } from "./blocks.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * Maximum characters of a typed message. A longer one is a pasted plan or document, which can be read in its own place.
 */
const LONGEST_SAID = 600;

const LONGEST = 400;

/** Minimum number of words: a shorter statement does not name its subject. */
const FEWEST_WORDS = 5;

/** Matches a rule, a choice or a reason. */
const STANDING =
  /\b(?:must(?:n't)?|(?<!\b(?:is|are|was|were|be|been|but|can) )never|always|(?<!\bI )(?:don't|do not)|from now on|no longer|not (?:allowed|needed)|pinned|by default|because|prefer|decided|agreed|we (?:use|stay|keep|never|don't)|stay (?:on|with|at))\b/i;

/** Matches a sentence not worth remembering: a question, a request to do something, or a remark on this answer only. */
const PASSING =
  /\?\W*$|^(?:why|what|how|when|where|who|which|is|are|does|did|can|could|would|will|should) |^(?:\W*(?:please|now|then|also|and|so|ok(?:ay)?|yes|no)[,.!:]?\s+)*(?:run|check|look|read|review|test|explain|show|tell|continue|implement|commit|push|fix|write|create|make|go|do it|try|see|find|add|update|remove|rename|(?:note|record|write|document|save|keep)(?: down)? (?:what|which|why|how|(?:the|our|all|any|your|every) decision))\b|\b(?:don't|do not|never|always|please) (?:summari[sz]e|explain|repeat|ask|stop|commit|push|forget|worry|rush|know|think|understand|see|get|edit the plan)\b|\b(?:right now|for now|this time|today|you(?:'ve| have)? (?:just|forgot|said|told))\b/i;

/** Matches a sentence that means nothing without the sentence before it. */
const HANGING =
  /^\W*(?:(?:and|but|so|then|also|ok(?:ay)?|yes|no)\b[,.!:]? )*(?:it|this|that|these|those|they|he|she|same|there|because|which|whose)\b/i;

/** Matches a statement that calls itself a decision. */
const DECISION =
  /^\W*(?:(?:decision|decided)\b[*_`]*\s?:|chose\b)|\b(?:we|I)(?:'ve| have)? (?:also )?(?:decided|agreed|chose|opted)\b/i;

/** Matches a reason. */
const REASON =
  /\b(?:because|root cause|caused by|due to|the (?:cause|reason|problem|bug) (?:is|was))\b/i;

/** Matches a concrete name: code, a path, an identifier, an acronym or a number. */
const NAMED = /`[^`]+`|\w[/_.]\w|\w\(\)|[a-z][A-Z]|\b[A-Z]{2,}\b|\b\d/;

/** Matches a question, a guess or an offer, and template code. */
const UNSURE =
  /\?\W*$|[{}]|="|\b(?:likely|probably|perhaps|maybe|possibly|seems?|appears?|I(?:'m| am)? (?:think|suspect|guess|wonder)(?:ing)?|if you|let me|let's)\b/i;

/**
 * Matches like {@linkcode UNSURE}, and also a possibility, a plan or an open failure. It is for the words of agents:
 * said by a person, these may be a rule.
 */
const OPEN = new RegExp(
  String.raw`${UNSURE.source}|\b(?:might|could|would|should|(?:is|are) (?:still )?failing)\b`,
  "i",
);

/** Maximum number of reasons from one answer; more go into detail. */
const MOST_REASONS = 2;

const ENGLISH =
  /^(?:a|an|and|are|as|at|be|because|but|by|can|do|don't|for|from|has|have|i|if|in|is|it|must|never|no|not|of|on|only|or|please|should|so|that|the|then|this|to|use|we|what|when|why|with|you)$/;

/** Minimum share of common English words in a text that the rules can read. */
const LEAST_ENGLISH = 0.15;

/** Minimum number of words to judge the language by; fewer may include no common English word. */
const MANY_WORDS = 8;

/** Returns the sentences of a person that set a rule, choose something, or say why. */
export function statementsIn(written: string): string[] {
  const said = withoutScaffolding(written);
  if (said.length > LONGEST_SAID || !isEnglish(said)) return [];
  const typed = said.split(/\n\s*\n/).filter((part) => !part.split("\n").some(isPrinted));
  return Array.from(blocksOf(typed.join("\n\n"), { readQuotes: false }))
    .filter(({ kind }) => kind === "paragraph")
    .flatMap(({ text }) => sentencesOf(text))
    .filter((one) =>
      one.length <= LONGEST && one.split(" ").length >= FEWEST_WORDS && STANDING.test(one) &&
      !PASSING.test(one) && !UNSURE.test(one) && !HANGING.test(one)
    );
}

/**
 * Returns the decisions of a message: sentences that call themselves decisions, and text below a heading for decisions.
 * Without `readLists`, that text must give a reason.
 */
export function decisionsIn(written: string, { readLists = false } = {}): string[] {
  let isListed = false;
  return Array.from(blocksOf(withoutScaffolding(written), { readQuotes: false }))
    .flatMap(({ kind, text }) => {
      if (kind === "heading") isListed = /\bdecisions?\b/i.test(text);
      if (kind === "heading") return [];
      return isListed && (readLists || REASON.test(text))
        ? [text]
        : sentencesOf(text).filter((one) => DECISION.test(one) && !UNSURE.test(one));
    });
}

/** Returns the reasons that an answer gives, if they name something. */
export function explanationsIn(written: string): string[] {
  return Array.from(blocksOf(withoutScaffolding(written), { readQuotes: false }))
    .filter(({ kind }) => kind !== "heading" && kind !== "row")
    .flatMap(({ text }) => sentencesOf(text))
    .filter((one) =>
      one.length <= LONGEST && REASON.test(one) && NAMED.test(one) && !OPEN.test(one) &&
      !HANGING.test(one)
    ).slice(0, MOST_REASONS);
}

/** Whether a line is code or log output; the text around such a line was pasted. */
function isPrinted(line: string): boolean {
  const shown = line.replace(MARKER, "");
  return shown.trim() !== "" && (CODE_LINE.test(shown) || LOG_LINE.test(shown));
}

/** Whether the rules cannot read a text: it is in another script, or has hardly any English words. */
export function isForeign(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const others = letters - (text.match(/[a-z\u00c0-\u024f]/gi)?.length ?? 0);
  return others > letters / 4 || (text.split(/\s+/).length >= MANY_WORDS && !isEnglish(text));
}

function isEnglish(text: string): boolean {
  const prose = text.toLowerCase().replace(/\S*[/\\_]\S*|`[^`]*`/g, " ");
  const words = prose.match(/[\p{L}\p{M}']+/gu) ?? [];
  return words.filter((word) => ENGLISH.test(word)).length >= words.length * LEAST_ENGLISH;
}
