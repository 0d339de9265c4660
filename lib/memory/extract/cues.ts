/**
 * Which words tell what kind of statement a sentence is. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { saysNothingWrong } from "./junk.ts";
import { alternatives, anyWord } from "./words.ts";

const DECISION = anyWord(
  "decided decision cho(?:se|osing|sen) opted (?:went|going|go)_with settled_on agreed instead_of",
  "rather_than in_favou?r_of over_the_alternative trade-?offs? on_purpose deliberate(?:ly)?",
  "intentional(?:ly)? by_design sticking_(?:with|to) preferred prefer the_plan_is won't will_not",
  "ruled_out rejected (?:we|I)(?:'ll|_will)?_(?:keep|kept|use|stay|stick|leave|left|avoid(?:ed)?)",
);

/** A state with its reason, or with what it shall not be, was chosen. */
const CHOSEN_STATE = new RegExp(
  [
    String.raw`\b(?:is|are|be|stays?|stay) (?:[\w./:-]+ ){1,8}?(?:because|since|so that)\b`,
    String.raw`\b(?:is|are|be|stays?) [^.;]{3,60}, (?:not|no|never) \w`,
    String.raw`\bonly in \w`,
    String.raw`\bno (?:silent )?fallback`,
  ].join("|"),
  "i",
);

const ERROR = anyWord(
  "errors? exception fail(?:s|ed|ing|ures?)? crash(?:es|ed|ing)? bugs? regression root_cause",
  "caused_by culprit broke broken panic(?:s|ked)? deadlock\\w* race leak(?:s|ed|ing)? time[sd]_out",
  "timeout flaky throws threw refused refuses rejects corrupt\\w* stale off[-_]by[-_]one",
  "incorrect(?:ly)? never_(?:closed|released|awaited|called) undefined null_pointer segfault",
  "the_(?:problem|issue|reason)_(?:is|was) mismatch overflow\\w* exhaust(?:s|ed) hangs stuck swapped",
  "overwrote misspelt too_many not_found blocked \\w{3,}(?:Error|Exception)",
  "E(?:MFILE|NOENT|ACCES|EXIST|PIPE|PERM|AGAIN|BUSY|NOSPC|INVAL|ADDRINUSE|TIMEDOUT|CONN[A-Z]+)",
);

const CHANGED = alternatives([
  "add(?:ed|s)? remov(?:ed|es) renam(?:ed|es) mov(?:ed|es) chang(?:ed|es) updat(?:ed|es)",
  "replac(?:ed|es) creat(?:ed|es) delet(?:ed|es) fix(?:ed|es) refactor(?:ed|s) extract(?:ed|s)",
  "introduc(?:ed|es) implement(?:ed|s) rewr(?:ote|itten) wrote bump(?:ed|s) upgrad(?:ed|es)",
  "downgrad(?:ed|es) switch(?:ed|es) migrat(?:ed|es) revert(?:ed|s) split merg(?:ed|es)",
  "convert(?:ed|s) patch(?:ed|es) wired registered configured dropp(?:ed|s) committed pushed inlined",
  "wrapp(?:ed|s) pinned enabled disabled simplified documented covered set made raised lowered reduced",
  "increased cached guarded",
]);

const NOW = alternatives([
  "uses? returns? reads? writes? takes? throws? runs? checks? keeps? lives? handles? goes closes?",
  "waits? retries validates? logs? sends? skips?",
]);

const CHANGE = new RegExp(
  [
    String.raw`^[*_]{0,2}(?:${CHANGED})\b`,
    String
      .raw`^(?:I|We|I've|We've|I have|This|It|The \w+|Also|Then|And|Now),? (?:also |now |have |then |just )*(?:${CHANGED})\b`,
    String.raw`\b(?:is|are|was|were|has been|have been) now\b`,
    String.raw`\bnow (?:${NOW})\b`,
    String.raw`\b(?:has|have) been (?:${CHANGED})\b`,
    String.raw`\bI(?:'ve| have)? (?:also )?(?:${CHANGED})\b`,
  ].join("|"),
  "i",
);

/** A file or a name in code, and what became of it. */
const FILE_FIRST =
  /^[*_]{0,2}`[^`]{2,120}`[*_]{0,2}(?:,? (?:and )?`[^`]{2,120}`)*\s*(?::|-|\u2013|\u2014)\s|^(?=\S+\/)\S+\.\w{1,5}:? /;

/** A change that is told by its result. */
const RESULT = new RegExp(
  [
    String
      .raw`\b(?:is|are) (?:now|new|deleted|removed|moved|replaced|renamed|gone|fixed|switched|migrated|extracted|wrapped)\b`,
    String.raw`\breplaces\b`,
    String.raw`^new\b`,
    String.raw`\bnew (?:\w+ ){0,3}in \x60?\S+[./]\S+`,
  ].join("|"),
  "i",
);

const FACT = anyWord(
  "note because since requires? needs? must only always never means depends limit(?:s|ed)? defaults?",
  "turns?_out in_fact works?_(?:only|with) supports? does(?:_not|n't) do(?:_not|n't) can(?:_?not|'t)",
  "assumes? expects? returns? stores? lives?_in located runs?_on versions? measured faster slower",
  "takes? uses? handles? contains? holds? reads? writes? is are was were has have had went goes",
  "dropped grew fell rose came comes gives? gave adds? makes? costs? needed took",
);

/** One thing follows from another. */
const REASON =
  /\b(?:because|since|so that|therefore|otherwise|which means|due to|that is why)\b|, so \w/i;

/** A path, an identifier, code, a number with a unit, a version: what prose about nothing lacks. */
const TECHNICAL = new RegExp(
  [
    "`[^`]+`",
    String.raw`[\w.-]+/[\w./-]+`,
    String
      .raw`\b\w+\.(?:ts|js|py|rs|go|json|toml|ya?ml|md|sh|sql|java|c|h|cpp|css|html|tsx|jsx|lock)\b`,
    String.raw`\b[a-z]+(?:[A-Z][a-z0-9]+)+\b`,
    String.raw`\b\w+_\w+\b`,
    String.raw`\b[A-Z][A-Z0-9_]{2,}\b`,
    String.raw`\w\(\)`,
    String.raw`--[a-z][\w-]+`,
    String.raw`\b\d`,
  ].join("|"),
);

/** A person says how it shall be. */
const DIRECTIVE = anyWord(
  "instead rather don'?t do_not never always must(?:n'?t)? should(?:n'?t)? shall no_longer let'?s",
  "go_with stick_(?:with|to) keep prefer make_sure ensure only drop avoid use switch revert actually",
  "wrong not_what we_(?:agreed|decided|chose|need|want) I_(?:want|need|prefer|decided|meant) has_to",
  "have_to needs?_to without leave no_need not_(?:in|on|to|the|a) require[sd]? remember",
);

/** What is offered and not yet agreed to. */
const PROPOSAL =
  /^(?:I'd|I would|we could|you could|you can|I propose|I suggest|maybe|perhaps|possibly|alternatively)\b|\b(?:could|might) (?:also |be |replace |use )/i;

/** An errand: it is done by the end of the session. */
const ERRAND =
  /^(?:please |pls |can you |could you |now |then |also )*(?:look|check|run|commit|push|show|tell|explain|continue|go on|go ahead|figure|review|summari[sz]e|see)\b/i;

/**
 * @param text a sentence
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
 * @param text a sentence of the agent
 * @returns whether it tells what became of a file or of something in the code
 */
export function tellsResult(text: string): boolean {
  return FILE_FIRST.test(text) || RESULT.test(text);
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
  return text.startsWith("no ") || DIRECTIVE.test(text);
}

/**
 * @param text a sentence of the agent
 * @returns whether it is offered rather than said
 */
export function isProposal(text: string): boolean {
  return PROPOSAL.test(text);
}

/**
 * @param text a sentence of a person
 * @returns whether it asks for something that is over once it is done
 */
export function isErrand(text: string): boolean {
  return ERRAND.test(text);
}
