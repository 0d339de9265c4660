/**
 * Which words tell what kind of statement a sentence is, or what stands under a heading. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { anyWord } from "./words.ts";

/** What became of a file or of something in the code, which is named first or told by its result. */
export const RESULT = new RegExp(
  [
    String
      .raw`^[*_]{0,2}\x60[^\x60(]{0,100}[\w/-](?:\.\w{1,5}|/)[^\x60(]{0,20}\x60[*_]{0,2}(?:,? (?:and )?\x60[^\x60]{2,120}\x60)*\s*(?::|-|\u2013|\u2014)\s`,
    String.raw`^(?=\S+\/)\S+\.\w{1,5}:? `,
    String
      .raw`\b(?:is|are) (?:now|new|deleted|removed|moved|replaced|renamed|gone|fixed|switched|migrated|extracted|wrapped)\b`,
    String.raw`\breplaces\b`,
    String.raw`^new\b`,
    String.raw`\bnew (?:\w+ ){0,3}in \x60?\S+[./]\S+`,
  ].join("|"),
  "i",
);

/** Nobody knows it yet: it is no result. */
export const SPECULATION =
  /\b(?:might|may|could|likely|would|probably|perhaps|potentially|unknown|not (?:explicitly )?mentioned)\b/i;

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

/** A person says how it shall be, whatever else is in the sentence. */
const DIRECTIVE = anyWord(
  "don'?t(?!_(?:work|know|think|see|get|understand|appear|seem|show|match|exist)) do_not never always",
  "instead rather must(?:n'?t)? no_longer let'?s go_with stick_(?:with|to) make_sure be_sure make_note",
  "prefer ensure avoid revert we_(?:agreed|decided|chose|want) I_(?:want|prefer|decided|meant)",
  "I_think_(?:we|it)_(?:should|can|just|need) for_now top_priority definitely",
  "I(?:_would|'d)_(?:like|prefer|rather) I_plan ideally better_(?:approach|way|to|if|idea|solution)",
);

/** The same, but said of what is wrong as well. */
const WEAK_DIRECTIVE = anyWord(
  "should(?:n'?t)? shall keep only drop use switch we_need I_need has_to have_to needs?_to without",
  "leave no_need require[sd]? remember actually not_(?:in|on|to|the|a)",
);

/** A person says that something is not as it shall be. */
const COMPLAINT = anyWord(
  "wrong(?:ly)? broken broke errors? fail(?:s|ed|ing|ures?)? crash(?:es|ed|ing)? bugs? not_working",
  "does(?:_not|n't)_(?:work|show|match) did(?:_not|n't)_work got_no stuck sluggish slow(?:er|ly)?",
  "hit_(?:this|an?)_(?:error|issue|problem|bug|limit) laggy do(?:_not|n't)_work no_go",
  "can(?:_?not|'t)_(?:see|open|load|run|find|connect|drag|click|select|move|use|get|log)",
  "too_(?:wide|slow|big|small|long|much|many) you_(?:missed|forgot|broke|removed) weird confus(?:ed|ing)",
  "gnarly is_missing lost regression timed_out hangs warnings? exception bust sucks ugly useless",
  "unusable annoying brittle messed_up won't_(?:work|load|start|open|run) isn't_(?:working|right|applying)",
  "still_(?:not|broken|failing|complain\\w*) duplicated? (?:problem|issue)_(?:is|with) a_problem",
);

/** How a person begins to say how it shall be. */
const DEMAND =
  /^(?:(?:now|then|also|first|next|finally|and|just|so|ok(?:ay)?|proceed to|can you|could you|(?:please )?make sure (?:to|you)|be sure to),? )*(?:(?:please|pls|let'?s|don'?t|do not|never|always|keep|use|make|add|allow|definitely|remove|drop|change|rename|switch|put|move|write|create|update|replace|show|apply|implement|fix|build|install|convert|merge|rewrite|refactor|finish|complete|start|integrate|include|enable|disable|extend|improve|simplify|split|archive|delete|commit|push|we want|I want|get rid|go back|undo|revert)\b|(?:no|nope|nah|yes|yeah|actually|stop)[,. ])/i;

/** A person does not say how it shall be, but that they do not know. */
const DOUBT =
  /^I (?:don'?t|do not|can'?t|cannot) (?:understand|think|know|see|get|believe|remember)\b/i;

/** What is offered and not yet agreed to. */
export const PROPOSAL =
  /^(?:I'd|I would|we could|you could|you can|I propose|I suggest|maybe|perhaps|possibly|alternatively)\b|\b(?:could|might) (?:also |be |replace |use )/i;

/** An errand: it is done by the end of the session. */
export const ERRAND =
  /^(?:please |pls |can you |could you |now |then |also )*(?:look|check|run|commit|push|show|tell|explain|continue|go on|go ahead|figure|review|summari[sz]e|see)\b/i;

/** Under it stands what speaks for something, or how it works: neither a choice nor what was wrong. */
const REASONS = anyWord(
  "benefits? advantages? pros why solv(?:es?|ing) what_you_get how_\\w+ works?",
);

/** Under it stands what was wrong and is not any more. */
const MENDED =
  /^(?!.*\b(?:causes?|identified|found|not)\b).*\b(?:fixed|resolved|solved|addressed|corrected)\b/i;

/** What stands under a heading. */
const HEADINGS: [RegExp, ObservationCategory][] = [
  [REASONS, "key-fact"],
  [MENDED, "code-change"],
  [
    anyWord(
      "decisions? decided chosen choices? approach design trade-?offs? rationale recommend\\w*",
    ),
    "decision",
  ],
  [
    anyWord("errors? bugs? failures? problems? issues? causes? symptoms? diagnosis broken wrong"),
    "error",
  ],
  [
    anyWord(
      "changes? changed commits? changelog files? modified implement\\w* added fix(?:es|ed)? did done",
      "completed updates? refactor\\w* removed created installed",
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
  /^(?:\*\*([^*]{3,40})\*\*|(Root cause|Cause|Fix|Commit|Decision|Error|Problem|Reason|Note))\s*(?:[:\u2013\u2014-]|\*\*:)/i;

/** Before a list of what is to be done. */
const PLANNED =
  /\b(?:(?:we|you|I) (?:can(?! (?:see|tell|say|find|confirm))|could|should|need to|will|plan to)|(?:we|I)'ll|(?:the|my) plan|will need to)\b.*:$/i;

/** Before a list of things to choose from. */
export const CHOICE = anyWord(
  "options? ways?_to possible possibilities alternatives? remedies propos\\w+ suggest\\w*",
  "candidates could choose either approach_it I'd I_would task_list todos?",
);

/** What stands under a heading, if that is plain. */
export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return HEADINGS.find(([words]) => words.test(heading))?.[1];
}

/** What the sentence before a list says about its items, if that is plain. */
export function categoryOfList(sentence: string): ObservationCategory | undefined {
  return PLANNED.test(sentence) ? "decision" : categoryOfHeading(sentence);
}

/** What the lead of a sentence says about it, if there is one and it is plain. */
export function categoryOfLead(text: string): ObservationCategory | undefined {
  const lead = LEAD.exec(text);
  return lead === null ? undefined : categoryOfHeading(lead[1] ?? lead[2]);
}

/** Whether a person says how something shall be. */
export function isDirective(text: string): boolean {
  if (DOUBT.test(text)) return false;
  if (DEMAND.test(text)) return true;
  return DIRECTIVE.test(text) || (WEAK_DIRECTIVE.test(text) && !COMPLAINT.test(text));
}

/** Whether a person says that something is not as it shall be. */
export function isComplaint(text: string): boolean {
  return COMPLAINT.test(text);
}
