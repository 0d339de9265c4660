// Recognizes what is not worth remembering: log lines, fragments, narration, offers, "no error".
// Pure.

import { MARKER } from "../../redact/secret.ts";

/** A program printed it. */
export const LOG_LINE = new RegExp(
  [
    String.raw`^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`,
    String.raw`^\s*\[?\d\d:\d\d:\d\d`,
    String.raw`^\s*\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|notice)\b[\]: ]`,
    String.raw`^\s+at .{1,200}:\d+`,
    String.raw`^\s*(?:npm|yarn|pnpm) (?:warn|WARN|notice|info|http|verb)\b`,
    String.raw`^\s*(?:\$|%|>>>|PS>|#\s*\$) \S`,
    String.raw`^\s*File "[^"]{1,300}", line \d+`,
    String
      .raw`^\s*(?:Traceback|Caused by|goroutine \d|Collecting |Downloading |Compiling |Checking )`,
    String.raw`^\s*[\w.+-]{1,80}=\S*\s*$`,
    String.raw`^\s*(?:[{}\[\]]|"[\w-]{1,60}":)`,
    String.raw`^\s*</?[a-zA-Z][\w:-]*(?:\s[^>]{0,200})?>\s*$`,
  ].join("|"),
);

/** A line of a program outside of any fence; words that begin sentences too need more than the word. */
export const CODE_LINE = new RegExp(
  [
    String.raw`^\s*import (?:.* from ['"]|['"]|\w+(?:\.\w+)*;?$|[\w*{].*;$)`,
    String.raw`^\s*from [\w.]+ import `,
    String.raw`^\s*export (?:default|const|function|class|type|interface|async|enum|\{|\*)`,
    String.raw`^\s*(?:const|let|var|val) [\w{[][^=]{0,200}=`,
    String.raw`^\s*(?:async )?(?:function|func|fn|def)\b[^(]{0,80}\(`,
    String.raw`^\s*(?:if|for|while|switch|catch) ?\(.*[){;]$`,
    String.raw`^\s*(?:def|class|elif|except)\b.{0,120}:$|^\s*(?:else|try|finally):`,
    String.raw`^\s*(?:class|interface|type|enum|struct|public|private|protected)\b.*[{;]$`,
    String.raw`^\s*class \w+(?:\(\w*\))?:`,
    String.raw`^\s*(?:return|throw|package|use)\b.*;$`,
    String.raw`^\s*(?:[{}]|\/[/*]|\* ?[@/]|@\w+[(]|#include)`,
    String.raw`\b(?:INSERT INTO|CREATE TABLE|SELECT \S+ FROM)\b`,
    String.raw`[;{]$`,
  ].join("|"),
);

/** Share of the signs of code from which on a text is code. */
const MAX_SIGNS = 0.12;

/** Verbs with which an agent announces that it reads or checks something. */
const LOOKS =
  "(?:check|look|take a|run|re-?run|read|re-?read|search|explore|see|verify|verif|examin|examine|investigate|investigat|try|find|open|inspect|confirm" +
  "|view|list|continue|proceed|go (?:through|over|on|ahead|back)|get (?:started|back)|do (?:it|that|this|so)|help|enumerate" +
  "|understand|pull|gather|figure|locate|identify|navigate|fetch|provide|start|begin|review|wait|think|grep|test|use (?:the )?`?\\w*(?:find|grep|search|view|bash)\\w*)";

/** What the agent is about to look at. */
const INTENTION = new RegExp(
  "^(?:(?:and|now|next|first|then|ok(?:ay)?|so|great|good|perfect|alright|right|sure|yes|excellent)[,.!:]? )*" +
    "(?:let me\\b(?!.*\\b(?:by \\w+ing|so that|instead)\\b)" +
    `|(?:let's|(?:i|we)(?:'ll| will|'m going to| am going to| need to| want to| should| can| have to)) (?:now |also |first |then |just |quickly )*${LOOKS}\\b` +
    `|(?:next,? )?(?:i'm |i am |i've |we are |we're )?(?:now |just |also |still |indeed )*(?:${LOOKS}ing|moving (?:on|through)|extracting|drafting|finishing|doing (?:a|one)|started|ready|seeing|working on|calling)\\b)`,
  "i",
);

/** What follows is code, which is not remembered. */
const HERE_IS = /^(?:\w+, )?here(?:'s| is| are) [^:]{0,120}$/i;

/** What the person is asked to do. */
const REQUEST = /^(?:please|kindly)\b/i;

/** Nothing but politeness. */
const POLITENESS =
  /^(?:thanks?|thank you|sorry|apologies|i apologi[sz]e|you're (?:welcome|right)|hello|hi|hey|understood|done|got it|of course|absolutely|certainly|i see|hmm?|wait|on it|noted|agreed|sure|great|perfect|good (?:catch|point|question)|right|nice|finished|that's (?:it|all|the \w+ one))\b.{0,28}$/i;

const OFFER =
  /\b(?:let me know|would you like|do you want|feel free|if you(?:'d| would) like|if you (?:like|want|prefer),? i\b|shall i|should i|happy to|want me to|hope this helps|anything else)\b/i;

const SCAFFOLDING =
  /^(?:you are (?:a|an|the)\b|your task is|<|important: this context|the following is|as an ai\b|system:|assistant:|user:)|\b(?:tool_use|tool_result|system-reminder)\b/i;

/** That something did not go wrong. */
export const NOTHING_WRONG =
  /\b(?:no|0|zero|without|without any|not any|free of)(?: [\w-]+){0,2} (?:errors?|warnings?|failures?|failed|issues?|problems?|regressions?|vulnerabilities)\b/i;

/** Share of letters and digits below which a text is code or a table. */
const MIN_LETTERS = 0.62;

const WORDS = /\p{L}{2,}/gu;

/** Scripts that are written without blanks, or say more in fewer characters. */
const IDEOGRAPHS =
  /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/g;

/** The rest of the sentence is elsewhere. */
const FRAGMENT = new RegExp(
  "^(?:because|which|that|whose|than|with|of|to|nor|is|are|was|were|has|have|had|been|being" +
    "|into|onto|although|whereas)\\b|^[),.;:\\]]|[,:(\\[]$" +
    "|\\b(?:with|the|an?|of|and|or|is|are|for|by|from)$",
);

/** The same, unless much follows: people in a hurry begin sentences like this. */
const JOINS = /^(?:and|or|but|so|then|for|from|by|as|at|while)\b/;

const FEW_WORDS = 6;

/** Whether a sentence is worthless, whether a person or an agent said it. */
export function isJunk(text: string): boolean {
  const words = text.replace(MARKER, "").match(WORDS)?.length ?? 0;
  const parts = text.trim().split(/\s+/).length;
  const isShort = Math.min(words, parts) + ideographsIn(text) / 2 < 3 || lengthOf(text) < 16;
  if (isShort || FRAGMENT.test(text) || (words < FEW_WORDS && JOINS.test(text))) return true;
  const solid = text.replace(/\s/gu, "");
  const letters = solid.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0;
  const signs = text.match(/[{}()[\];=<>|\\$]/g)?.length ?? 0;
  const isEscaped = /\\[nt]/.test(text) && /["{]/.test(text); // a string of a program
  return isEscaped || letters < solid.length * MIN_LETTERS || signs > text.length * MAX_SIGNS ||
    [CODE_LINE, LOG_LINE, SCAFFOLDING, OFFER].some((pattern) => pattern.test(text));
}

/** Whether an agent announces what it will do, asks, or is merely polite. */
export function isNarration(text: string): boolean {
  const said = straight(text);
  return [INTENTION, REQUEST, POLITENESS, HERE_IS].some((form) => form.test(said)) ||
    text.endsWith("?");
}

/** About how many letters of a Latin script a sentence would take. */
function lengthOf(text: string): number {
  return text.length + 2 * ideographsIn(text);
}

function ideographsIn(text: string): number {
  return text.match(IDEOGRAPHS)?.length ?? 0;
}

/** With the apostrophes of a keyboard, which the rules are written with. */
function straight(text: string): string {
  return text.replace(/[\u2018\u2019]/g, "'");
}
