/**
 * Which words tell what kind of statement a sentence is, and that it is none worth keeping. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";

/** A path, an identifier, code, a number with a unit, a version: what prose about nothing lacks. */
export const TECHNICAL = new RegExp(
  [
    "`[^`]+`",
    String.raw`[\w.-]+/[\w./-]+`,
    String.raw`\b\w+\.[a-z]{1,4}\b(?!\.)`,
    String.raw`\b[a-z]+(?:[A-Z][a-z0-9]+)+\b`,
    String.raw`\b\w+_\w+\b`,
    String.raw`\b[A-Z][A-Z0-9_]{2,}\b`,
    String.raw`\w\(\)`,
    String.raw`--[a-z][\w-]+`,
    String.raw`\b\d`,
  ].join("|"),
);

/** Why it is so. */
export const REASON =
  /\b(?:because|since|so that|otherwise|due to|root cause|the (?:cause|reason|problem) (?:is|was)|caused by|which (?:means|meant)|that's why|so as not to|as (?:the|it|they|our|we)\b)/i;

/** What was wrong. */
const WRONG = new RegExp(
  [
    String
      .raw`root cause|the (?:cause|problem|bug|issue|culprit)\b|bugs?\b|crash(?:e[sd]|ing)?\b|fail(?:s|ed|ure)?\b`,
    String
      .raw`errors?\b|exception|race condition|deadlock|leak(?:s|ed)?\b|regression|hangs?\b|misspelt|worthless`,
    String
      .raw`never (?:fire[ds]?|closed|released|set|stored|called|covered|worked)|overwr(?:ites?|ote|itten)\b|orphaned`,
    String
      .raw`(?:is|was|were|are|had been) (?:stale|lost|missing|broken|wrong|incorrect|stuck|undefined|exhausted)\b`,
    String.raw`(?:does|did|do)(?:n't| not) (?:work|match|exist|respect|fire|constrain)`,
    String.raw`non-deterministic(?:ally)?|mismatch|too (?:late|early|slow|strict)\b`,
  ].map((each) => `\\b(?:${each})`).join("|"),
  "i",
);

/** How it shall be, or one thing and not another. */
const CHOSEN =
  /\b(?:instead of|rather than|in favou?r of|decided|cho(?:se|sen)|opted|agreed|prefer(?:red|s)?|on purpose|deliberate(?:ly)?|by design|must(?: not|n't)?|never|always|don't|do not|shall|no longer|pinned|stays?|stayed|kept|keep|hard[- ]cut|by default|defaults? (?:to|is|are|stays)|convention|policy|only (?:if|when|from|where|on|for|the)|not needed|ruled out|rejected|strict(?:ly)?|source of truth)\b/i;

/** The same, in so many words. */
const DECIDED =
  /\b(?:decided|cho(?:se|sen)|never|always|must(?: not|n't)?|instead of|rather than)\b/i;

/** What something cannot do without. */
const NEEDS = /\b(?:needs?|requires?|depends on|only works|cannot|unless)\b/i;

/** What was done. */
const DONE =
  /^(?:(?:Done|Fixed|OK|Now|Also|Then)[,.!:]? )?(?:(?:I|We)(?:'ve| have)? (?:also |now )?)?(?:[Aa]dded|[Rr]emoved|[Rr]enamed|[Mm]oved|[Cc]hanged|[Uu]pdated|[Rr]eplaced|[Cc]reated|[Dd]eleted|[Ff]ixed|[Rr]efactored|[Ee]xtracted|[Ii]ntroduced|[Ii]mplemented|[Rr]ewr(?:ote|itten)|[Ww]rote|[Bb]umped|[Uu]pgraded|[Ss]witched|[Mm]igrated|[Rr]everted|[Ss]plit|[Mm]erged|[Cc]onverted|[Ww]ired|[Rr]egistered|[Cc]onfigured|[Dd]ropped|[Cc]ommitted|[Pp]ushed|[Ww]rapped|[Dd]isabled|[Ee]nabled|[Ss]implified|[Dd]ocumented|[Ii]nstalled|[Rr]estored|[Ee]xtended|[Mm]ade|[Ss]et|[Nn]ew)\b|\b(?:is|are) (?:now |new\b|removed|replaced|renamed|moved|deleted|added|extracted|reverted|updated|restored|created|registered|wired)|\bnow (?!this\b|that\b|always\b|on\b)[a-z]{3,}\b|\b(?:has|have) been \w+ed\b/;

/** Nobody knows it, or nobody did it yet. */
export const OPEN =
  /\b(?:likely|probably|perhaps|maybe|potentially|possibly|seems?|appears?|I think|I believe|I suspect|I guess|I'd|we'd|I propose|I suggest|I recommend|recommend(?:ed|ation)?|consider|if (?:you|we|needed|desired)|optional(?:ly)?|next step|can be (?:added|done|used)|will be|I'll|I will|we'll|let me|let's|need to|needs to|going to|want to|to-?do|plan(?:ned)? to|future|later on|nice to have|follow-up|unclear|not sure)\b/i;

/** Nobody did it, unless it tells why something is as it is. */
const SUPPOSED = /\b(?:could|would|should|may|might)\b/i;

/** What is mended by the end. */
const TEST_FAILS = /\btests? (?:still )?fails?\b|\bfailing tests?\b|\bcompile errors?\b/i;

/** That something went well, was looked at, or was written about it: true of every session. */
const COMMON =
  /\b(?:(?:all |the |unit |integration |new |both |existing )*(?:tests?|lint\w*|checks?|build|suite|ci)\b.{0,40}\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?|ok)|\d+ pass(?:ed|ing)|clean build|0 issues|no (?:issues|errors|regressions)|(?:compiles|builds|works) (?:fine|correctly|now|cleanly)|as (?:requested|planned|you asked|specified)|working tree (?:is )?clean|git status)\b/i;

/** What is changed beside the thing itself. */
const BESIDES =
  /^(?:\W*(?:(?:I|We)(?:'ve| have)? )?(?:also )?(?:added|updated|adjusted|fixed|extended|new|wrote|created|cleaned|removed|ran|run|set)\b.{0,30}\b(?:tests?|docs?|documentation|README(?:\.md)?|AGENTS\.md|CHANGELOG(?:\.md)?|comments?|imports?|typos?|wording|executable bit|fixtures?|coverage)\b)|^\W*(?:tests?|docs?|documentation|imports?|files?)\b/i;

/** A statement that says itself what it is, or begins with the file that it is about. */
const NAMED =
  /^\W*(?:((?:root )?(?:cause|problem|bug|error|issue|crash))|(fix|solution|changed?|[\w./-]{1,120}\.[a-z]{1,5}))\b[*_`]*[^.:]{0,12}(?:[:\u2013\u2014]| - )/i;

/** A statement that calls itself a decision. */
const DECISION = /^\W*(?:decision|decided)\b[*_`]*\s?:/i;

/** The kind of a statement, by its own words. */
export function kindOf(text: string): ObservationCategory {
  if (DECISION.test(text)) return "decision";
  const [, wrong, mended] = NAMED.exec(text) ?? [];
  if (wrong !== undefined) return "error";
  if (mended !== undefined || DONE.test(text)) return "code-change";
  if (WRONG.test(text)) return "error";
  return CHOSEN.test(text) ? "decision" : "key-fact";
}

/** What a sentence is worth beside where it stands: from -9, for what nobody needs, to about 6. */
export function worthOf(text: string): number {
  const isPassing = SUPPOSED.test(text) || (COMMON.test(text) && !NEEDS.test(text));
  if (OPEN.test(text) || TEST_FAILS.test(text) || (isPassing && !REASON.test(text))) return -9;
  const names = text.match(new RegExp(TECHNICAL, "g"))?.length ?? 0;
  return (REASON.test(text) ? 3 : 0) + (DECISION.test(text) ? 5 : 0) +
    (DECIDED.test(text) ? 3 : CHOSEN.test(text) ? 2 : 0) +
    (WRONG.test(text) ? 1 : 0) +
    (NEEDS.test(text) ? 2 : 0) +
    Math.min(2, names) + (text.length >= 60 ? 1 : text.length < 40 ? -2 : 0) -
    (BESIDES.test(text) ? 4 : 0);
}
