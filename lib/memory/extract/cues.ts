/**
 * Which words tell what kind of statement a sentence is.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { saysNothingWrong } from "./junk.ts";

/** What a heading says about all that stands under it. */
const HEADINGS: [RegExp, ObservationCategory][] = [
  [
    /\b(?:decisions?|decided|chosen|choices?|approach|design|trade-?offs?|rationale|why)\b/i,
    "decision",
  ],
  [
    /\b(?:errors?|bugs?|failures?|root cause|problems?|issues?|causes?|symptoms?|diagnosis|broken|what went wrong)\b/i,
    "error",
  ],
  [
    /\b(?:changes?|changed|changelog|files?|modified|implement\w*|added|fix(?:es|ed)?|what i did|done|completed|updates?|refactor\w*|removed|created)\b/i,
    "code-change",
  ],
  [
    /\b(?:facts?|notes?|caveats?|gotchas?|findings?|learn\w*|results?|measure\w*|benchmarks?|limitations?|constraints?|requirements?|details?|important|background|behaviou?r)\b/i,
    "key-fact",
  ],
];

const DECISION = new RegExp(
  String
    .raw`\b(?:decided|decision|cho(?:se|osing|sen)|opted|(?:went|going|go) with|settled on|agreed` +
    String.raw`|instead of|rather than|in favou?r of|over the alternative|trade-?offs?|on purpose` +
    String
      .raw`|deliberate(?:ly)?|intentional(?:ly)?|by design|sticking (?:with|to)|preferred|prefer` +
    String.raw`|(?:we|I)(?:'ll| will)? (?:keep|kept|use|stay|stick|leave|left|avoid(?:ed)?)` +
    String.raw`|the plan is|won't|will not|ruled out|rejected)\b`,
  "i",
);

/** A state with its reason, or with what it shall not be, was chosen. */
const CHOSEN_STATE = new RegExp(
  String.raw`\b(?:is|are|be|stays?|stay) (?:[\w./:-]+ ){1,8}?(?:because|since|so that)\b` +
    String
      .raw`|\b(?:is|are|be|stays?) [^.;]{3,60}, (?:not|no|never) \w|\bonly in \w|\bno (?:silent )?fallback`,
  "i",
);

/** What is offered and not yet agreed to. */
const PROPOSAL =
  /^(?:I'd|I would|we could|you could|you can|I propose|I suggest|maybe|perhaps|possibly|alternatively)\b|\b(?:could|might) (?:also |be |replace |use )/i;

/** What leads in a list of things to choose from. */
const CHOICE =
  /\b(?:options?|ways? to|possible|possibilities|alternatives?|remedies|propos\w+|suggest\w*|candidates|could|choose|either|approach it)\b|\bI(?:'d| would)\b/i;

/** An errand: it is done by the end of the session. */
const ERRAND =
  /^(?:please |pls |can you |could you |now |then |also )*(?:look|check|run|commit|push|show|tell|explain|continue|go on|go ahead|figure|review|summari[sz]e|see)\b/i;

const ERROR = new RegExp(
  String
    .raw`\b(?:error|errors|exception|fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed|ing)?|bugs?|regression` +
    String
      .raw`|root cause|caused by|culprit|broke|broken|panic(?:s|ked)?|deadlock\w*|race|leak(?:s|ed|ing)?` +
    String.raw`|time[sd] out|timeout|flaky|throws|threw|refused|corrupt\w*|stale|off[- ]by[- ]one` +
    String
      .raw`|incorrect(?:ly)?|never (?:closed|released|awaited|called)|undefined|null pointer` +
    String
      .raw`|segfault|the (?:problem|issue|reason) (?:is|was)|mismatch|overflow\w*|exhaust(?:s|ed)|hangs|stuck|swapped|overwrote|misspelt|too many|not found|refuses|rejects|blocked|[A-Z]\w+(?:Error|Exception)|E(?:MFILE|NOENT|ACCES|EXIST|PIPE|PERM|AGAIN|BUSY|NOSPC|INVAL|ADDRINUSE|TIMEDOUT|CONN[A-Z]+))\b`,
);

const CHANGE_VERBS =
  "add(?:ed|s)?|remov(?:ed|es)|renam(?:ed|es)|mov(?:ed|es)|chang(?:ed|es)|updat(?:ed|es)|replac(?:ed|es)|creat(?:ed|es)" +
  "|delet(?:ed|es)|fix(?:ed|es)|refactor(?:ed|s)|extract(?:ed|s)|introduc(?:ed|es)|implement(?:ed|s)|rewr(?:ote|itten)" +
  "|wrote|bump(?:ed|s)|upgrad(?:ed|es)|downgrad(?:ed|es)|switch(?:ed|es)|migrat(?:ed|es)|revert(?:ed|s)|split|merg(?:ed|es)" +
  "|convert(?:ed|s)|patch(?:ed|es)|wired|registered|configured|dropp(?:ed|s)|committed|pushed|inlined|wrapp(?:ed|s)" +
  "|pinned|enabled|disabled|simplified|documented|covered|set|made|raised|lowered|reduced|increased|cached|guarded";

const CHANGE = new RegExp(
  String
    .raw`^(?:[*_\x60]{0,3}(?:I|We|I've|We've|I have|This|It|The \w+|Also|Then|And|Now)[,]? (?:also |now |have |then |just )*)?[*_]{0,2}(?:${CHANGE_VERBS})\b` +
    String
      .raw`|\b(?:is|are|was|were|has been|have been) now\b|\bnow (?:uses?|returns?|reads?|writes?|takes?|throws?|runs?|checks?|keeps?|lives?|handles?|goes|closes?|waits?|retries|validates?|logs?|sends?|skips?)\b` +
    String
      .raw`|\b(?:has|have) been (?:${CHANGE_VERBS})\b|\bI(?:'ve| have)? (?:also )?(?:${CHANGE_VERBS})\b`,
  "i",
);

const FACT = new RegExp(
  String
    .raw`\b(?:note|because|since|requires?|needs?|must|only|always|never|means|depends|limit(?:s|ed)?|defaults?` +
    String
      .raw`|turns? out|in fact|works? (?:only|with)|supports?|does(?: not|n't)|do(?: not|n't)|can(?:not|'t)|cannot` +
    String
      .raw`|assumes?|expects?|returns?|stores?|lives? in|located|runs? on|versions?|measured|faster|slower` +
    String
      .raw`|takes?|uses?|handles?|contains?|holds?|reads?|writes?|is|are|was|were|has|have|had` +
    String
      .raw`|went|goes|dropped|grew|fell|rose|came|comes|gives?|gave|adds?|makes?|costs?|needed|took)\b`,
  "i",
);

/** One thing follows from another. */
const REASON =
  /\b(?:because|since|so that|therefore|otherwise|which means|due to|that is why)\b|, so \w/i;

/** A path, an identifier, code, a number with a unit, a version: what prose about nothing lacks. */
const TECHNICAL = new RegExp(
  String
    .raw`\x60[^\x60]+\x60|[\w.-]+/[\w./-]+|\b\w+\.(?:ts|js|py|rs|go|json|toml|ya?ml|md|sh|sql|java|c|h|cpp|css|html|tsx|jsx|lock)\b` +
    String
      .raw`|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b\w+_\w+\b|\b[A-Z][A-Z0-9_]{2,}\b|\w\(\)|--[a-z][\w-]+` +
    String
      .raw`|\b\d+(?:\.\d+)*\s?(?:%|ms|s|sec\w*|min\w*|h|hours?|days?|[kKMG]i?B|bytes?|times|x|rows?|tests?|lines?|files?)?\b`,
);

/** A person says how it shall be. */
const DIRECTIVE = new RegExp(
  String
    .raw`^no\b|\b(?:instead|rather|don'?t|do not|never|always|must(?:n'?t)?|should(?:n'?t)?|shall|no longer|let'?s` +
    String
      .raw`|go with|stick (?:with|to)|keep|prefer|make sure|ensure|only|drop|avoid|use|switch|revert|actually` +
    String
      .raw`|wrong|not what|we (?:agreed|decided|chose|need|want)|I (?:want|need|prefer|decided|meant)` +
    String
      .raw`|has to|have to|needs? to|without|leave|no need|not (?:in|on|to|the|a)|require[sd]?|remember)\b`,
  "i",
);

/** A file or a name in code, and what became of it. */
const FILE_FIRST =
  /^[*_]{0,2}`[^`]{2,120}`[*_]{0,2}(?:,? (?:and )?`[^`]{2,120}`)*\s*(?::|-|\u2013|\u2014)\s|^\S+\/\S+\.\w{1,5}:? /;

/** A change that is told by its result. */
const RESULT = new RegExp(
  String
    .raw`\b(?:is|are) (?:now|new|deleted|removed|moved|replaced|renamed|gone|fixed|switched|migrated|extracted|wrapped)\b` +
    String.raw`|\breplaces\b|^new\b|\bnew (?:\w+ ){0,3}in \x60?\S+[./]\S+`,
  "i",
);

/** A lead in bold, or before a colon, that says what the sentence is. */
const LEAD =
  /^(?:\*\*([^*]{3,40})\*\*|(Root cause|Cause|Fix|Decision|Error|Problem|Reason|Note))\s*(?:[:\u2013\u2014-]|\*\*:)/i;

/**
 * @param text a sentence
 * @returns what its lead in bold says about it, if there is one and it is plain
 */
export function categoryOfLead(text: string): ObservationCategory | undefined {
  const lead = LEAD.exec(text);
  return lead === null ? undefined : categoryOfHeading(lead[1] ?? lead[2]);
}

/**
 * @param text a sentence of the agent
 * @returns whether it is offered rather than said
 */
export function isProposal(text: string): boolean {
  return PROPOSAL.test(text);
}

/**
 * @param text the sentence before a list
 * @returns whether the list is of things to choose from
 */
export function leadsChoice(text: string): boolean {
  return CHOICE.test(text);
}

/**
 * @param text a sentence of a person
 * @returns whether it asks for something that is over once it is done
 */
export function isErrand(text: string): boolean {
  return ERRAND.test(text);
}

/**
 * @param text an item of a list
 * @returns whether it tells what became of a file or of something in the code
 */
export function tellsResult(text: string): boolean {
  return FILE_FIRST.test(text) || RESULT.test(text);
}

/**
 * @param heading the text of a heading
 * @returns what stands under it, if that is plain
 */
export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return HEADINGS.find(([words]) => words.test(heading))?.[1];
}

/**
 * @param text a sentence of the agent
 * @returns what it tells; undefined if no word says so
 */
export function categoryOf(text: string): ObservationCategory | undefined {
  if (DECISION.test(text)) return "decision";
  if (CHANGE.test(text)) return "code-change";
  if (ERROR.test(text) && !saysNothingWrong(text)) return "error";
  if (CHOSEN_STATE.test(text)) return "decision";
  return REASON.test(text) || (FACT.test(text) && isTechnical(text)) ? "key-fact" : undefined;
}

/**
 * @param text a sentence
 * @returns whether it names code, a file or a figure
 */
export function isTechnical(text: string): boolean {
  return TECHNICAL.test(text);
}

/**
 * @param text a sentence of a person
 * @returns whether it says how something shall be
 */
export function isDirective(text: string): boolean {
  return DIRECTIVE.test(text);
}
