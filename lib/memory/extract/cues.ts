/**
 * Which words tell what kind of statement a sentence is, or what stands under a heading. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { NOTHING_WRONG } from "./junk.ts";

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

/** What became of a file or of something in the code, which is named first or told by its result. */
export const RESULT = new RegExp(
  [
    String
      .raw`^[*_]{0,2}\x60[^\x60]{2,120}\x60[*_]{0,2}(?:,? (?:and )?\x60[^\x60]{2,120}\x60)*\s*(?::|-|\u2013|\u2014)\s`,
    String.raw`^(?=\S+\/)\S+\.\w{1,5}:? `,
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
export const TECHNICAL = new RegExp(
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
export const PROPOSAL =
  /^(?:I'd|I would|we could|you could|you can|I propose|I suggest|maybe|perhaps|possibly|alternatively)\b|\b(?:could|might) (?:also |be |replace |use )/i;

/** An errand: it is done by the end of the session. */
export const ERRAND =
  /^(?:please |pls |can you |could you |now |then |also )*(?:look|check|run|commit|push|show|tell|explain|continue|go on|go ahead|figure|review|summari[sz]e|see)\b/i;

/** What stands under a heading. */
const HEADINGS: [RegExp, ObservationCategory][] = [
  [
    anyWord("decisions? decided chosen choices? approach design trade-?offs? rationale why"),
    "decision",
  ],
  [
    anyWord("errors? bugs? failures? problems? issues? causes? symptoms? diagnosis broken wrong"),
    "error",
  ],
  [
    anyWord(
      "changes? changed changelog files? modified implement\\w* added fix(?:es|ed)? did done",
      "completed updates? refactor\\w* removed created",
    ),
    "code-change",
  ],
  [
    anyWord(
      "facts? notes? caveats? gotchas? findings? learn\\w* results? measure\\w* benchmarks?",
      "limitations? constraints? requirements? details? important background behaviou?r",
    ),
    "key-fact",
  ],
];

/** In bold, or one of the usual words before a colon. */
const LEAD =
  /^(?:\*\*([^*]{3,40})\*\*|(Root cause|Cause|Fix|Decision|Error|Problem|Reason|Note))\s*(?:[:\u2013\u2014-]|\*\*:)/i;

/** Before a list of things to choose from. */
export const CHOICE = anyWord(
  "options? ways?_to possible possibilities alternatives? remedies propos\\w+ suggest\\w*",
  "candidates could choose either approach_it I'd I_would",
);

/** What a sentence tells; undefined if no word says so. */
export function categoryOf(text: string): ObservationCategory | undefined {
  if (DECISION.test(text)) return "decision";
  if (CHANGE.test(text)) return "code-change";
  if (ERROR.test(text) && !NOTHING_WRONG.test(text)) return "error";
  if (CHOSEN_STATE.test(text)) return "decision";
  return REASON.test(text) || (FACT.test(text) && TECHNICAL.test(text)) ? "key-fact" : undefined;
}

/** What stands under a heading, if that is plain. */
export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return HEADINGS.find(([words]) => words.test(heading))?.[1];
}

/** What the lead of a sentence says about it, if there is one and it is plain. */
export function categoryOfLead(text: string): ObservationCategory | undefined {
  const lead = LEAD.exec(text);
  return lead === null ? undefined : categoryOfHeading(lead[1] ?? lead[2]);
}

/** Whether a person says how something shall be. */
export function isDirective(text: string): boolean {
  return text.startsWith("no ") || DIRECTIVE.test(text);
}

/** Matches any of some words as a whole, in any case. */
function anyWord(...lists: string[]): RegExp {
  return new RegExp(String.raw`\b(?:${alternatives(lists)})\b`, "i");
}

/** Words between blanks, each a pattern, as one; `_` stands for a blank within a word. */
function alternatives(lists: readonly string[]): string {
  return lists.join(" ").trim().split(" ").join("|").replaceAll("_", " ");
}
