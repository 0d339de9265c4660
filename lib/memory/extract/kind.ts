// Which words tell what kind of statement a sentence is, and that it is none worth keeping. Pure.

import type { ObservationCategory } from "../schema.ts";

/** Code, a path, an identifier, an option. */
const NAME = new RegExp(
  [
    "`[^`]+`",
    String.raw`[\w.-]+/[\w./-]+`,
    String.raw`\b\w+\.[a-z]{1,4}\b(?!\.)`,
    String.raw`\b[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b`,
    String.raw`\b\w+_\w+\b`,
    String.raw`\w\(\)`,
    String.raw`--[a-z][\w-]+`,
  ].join("|"),
);

/** What a text names, without marks and numbers of lines. */
export function namesIn(text: string): string[] {
  const names = text.match(new RegExp(NAME, "g")) ?? [];
  return [...new Set(names.map((name) => name.replace(/`|:\d[\d-]*$/g, "")))];
}

/** The same, an acronym, a number, a version: what prose about nothing lacks. */
export const TECHNICAL = new RegExp(String.raw`${NAME.source}|\b[A-Z][A-Z0-9_]{2,}\b|\b\d`);

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

/** The same, in so many words, or what we do as a rule. */
const DECIDED =
  /\b(?:decided|cho(?:se|sen)|never|always|must(?: not|n't)?|instead of|rather than)\b|^\W*we (?!can|are|were|ha(?:ve|d)|did|now|just|\w+ed\b)/i;

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

/** At the start of a sentence that only means something after the one before it. */
export const DANGLING =
  /^\W*(?:(?:and|but|so|also|then|now|no|yes|yeah|however|instead)\b[,.!]? +)*(?:this|that|these|those|it|its|they|their|them|there|same|such)\b|^[^:;]{0,80}\b(?:this|these|those) (?!repo|project)/i;

/** The start of one that says what something does, and not what. */
const SUBJECTLESS =
  /^\W*(?:(?:only|[A-Z][a-z]+ly)\W+)?(?:uses|adds|checks|prints|runs|returns|handles|prevents|includes|triggers|keeps|sets|calls|reads|writes|creates|shows|supports|allows|ensures|makes|processes|determines|covers|imports|lists|before|inconsistent)\b(?!\W*:)/i;

/** A thing that every session has, unless a name says which one. */
const UNNAMED = /^\W*(?:the|all|both|each|every|our|some|other|another)\b/i;

/** How far a sentence may go without naming anything. */
const FAR = 24;

/** What was said to the person, was there before, or is about the session, its commits and its tests. */
const OF_SESSION = new RegExp(
  [
    String.raw`\byour?\b|\byou're\b|[\u2705\u274c\u26a0]`,
    String.raw`\b(?:pre-?existing|unrelated|untouched|left as is|up to date|out of scope)\b`,
    String.raw`\b(?:unstaged|untracked|uncommitted) (?:changes|files)|\bahead of\b`,
    String
      .raw`^\W*(?:(?:done|ok|now|the|I|we)\b\W*)*(?:loaded|executed|committed|pushed|rebased|merged|resolved|ran|used|verified|confirmed|tested|based|routed|kept|included|left)\b`,
    String
      .raw`\b(?:all|both|every)\b.{0,40}\b(?:comments?|issues|conflicts|findings|requirements|threads?)\b`,
    String
      .raw`\b(?:PR|pull request|rebase|conflicts?|diff|commit (?:body|message)|successfully|totals?)\b`,
    String
      .raw`^\W*(?:(?:I )?created (?:branch|\d)|\d+ (?:files|commits)|lines? \d|\S*test[_A-Z/.]\S*|\S*[_.](?:test|spec)\.\w+|Test[A-Z]|tests?\b)`,
  ].join("|"),
  "i",
);

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
  if (OF_SESSION.test(text) || BESIDES.test(text) || !standsAlone(text)) return -9;
  const names = text.match(new RegExp(TECHNICAL, "g"))?.length ?? 0;
  return (REASON.test(text) ? 3 : 0) + (DECISION.test(text) ? 5 : 0) +
    (DECIDED.test(text) ? 3 : CHOSEN.test(text) ? 2 : 0) +
    (WRONG.test(text) ? 1 : 0) +
    (NEEDS.test(text) ? 2 : 0) +
    Math.min(2, names) + (text.length >= 60 ? 1 : text.length < 40 ? -2 : 0);
}

/** Whether a sentence says what it is about. */
function standsAlone(text: string): boolean {
  if (DANGLING.test(text) || SUBJECTLESS.test(text)) return false;
  if ([DECISION, DECIDED, REASON, NEEDS].some((form) => form.test(text))) return true;
  return NAME.test(UNNAMED.test(text) ? text.slice(0, FAR) : text);
}
