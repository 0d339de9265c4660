// What an agent reports at the end of its work, before a person speaks again. Pure.

import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import type { Candidate } from "./select.ts";
import { isJunk, isNarration } from "./junk.ts";
import { kindOf, namesIn, REASON, TECHNICAL, worthOf } from "./kind.ts";
import { pointsIn } from "./points.ts";
import { saidByAgent } from "./own_words.ts";

/** Where a report stands. */
export interface ReportPlace {
  message: number;
  /** Whether files were changed, or something was committed, since a person spoke. */
  isWork: boolean;
  /** Whether nothing is said after it. */
  isLast: boolean;
  /** Whether the person who speaks next objects. */
  isRefused: boolean;
  /** What later reports say. */
  later: string;
}

/** The closing message counts most; what only explains has to say why. */
const WEIGHT = { last: 3, work: 2, answer: -1 };

/** A report without tools on record begins like this. */
const REPORTS =
  /\b(?:done|fixed|fix (?:was|is)|implemented|added|created|updated|changed|removed|replaced|pushed|committed|(?:what|here's what|changes?)\b.{0,20}\b(?:changed|made|did|fixed|added|implemented)|root cause|cause\b|now (?:shows|uses|supports|works))\b/i;

/** How far a report is looked at for that. */
const OPENING = 400;

/** A title below which it stands, wherever it is. */
const SUMS_UP = /^[^\w\n]{0,9}(?:\w+ ){0,2}(?:summary|changes(?: made)?|what (?:I )?changed)\b/im;

/** One or two sentences are not longer. */
const LONGEST = 500;

/** What follows is offered, and its points are not facts yet. */
const PLANS =
  /(?:^|\n)[^\w\n]{0,9}(?:\w+ ){0,3}(?:plan|proposal|proposed \w+|recommended \w+)\b[^\n]{0,40}(?:\n|$)|<proposed_plan>|\b(?:ready to implement|want me to implement|shall I (?:implement|go ahead|proceed)|would you like me to (?:draft|implement|proceed))\b/i;

/** Marks and words at the start that only lead over. */
const LEAD =
  /^(?:(?:[\u2713\u2714\u2022\u2b50]\ufe0f?|\*\*\d+[.)]?\*\*|\d+[.)])\s*|(?:in short|done|so|also|now|note|notable|summary(?: of changes)?|got it|understood|agreed|noted|makes sense|right|perfect|sure|yes|yeah|yep|okay?)\b[^:;,.\u2013\u2014-]{0,30}[:;,.\u2013\u2014-]\s+(?=\S.{30})){1,3}/iu;

/** Whether a message begins with what was done, or sums it up. */
export function isReport(text: string): boolean {
  return SUMS_UP.test(text) || REPORTS.test(text.slice(0, OPENING));
}

/** The points of a report that stand alone and are worth knowing next time. */
export function reportCandidates(
  words: string,
  place: ReportPlace,
  isDone: boolean,
): Candidate[] {
  const { message, isWork, isLast, isRefused, later } = place;
  const own = saidByAgent(withoutScaffolding(words));
  if (PLANS.test(own) && !isWork) return [];
  const base = (isDone ? WEIGHT.work : isLast ? 0 : WEIGHT.answer) + (isLast ? WEIGHT.last : 0);
  return Array.from(pointsIn(own)).flatMap(({ text: written, isAside }): Candidate[] => {
    const text = written.replace(LEAD, "").trim();
    if (isAside || text.length > LONGEST || isJunk(text) || isNarration(text) || isBare(text)) {
      return [];
    }
    if (!isDone && !isLast && !(REASON.test(text) && TECHNICAL.test(text))) return [];
    const category = kindOf(text);
    const worth = worthOf(text);
    // What was refused or worked on again is not as it was told; why it was wrong stays true.
    const names = namesIn(text);
    const isRevised = isRefused ||
      (names.length > 0 && names.every((name) => later.includes(name)));
    if (worth < 0 || (isRevised && category !== "error")) return [];
    return [{ text, category, weight: base + worth, message }];
  });
}

/** A path or a link, with hardly a word about it. */
function isBare(text: string): boolean {
  const words = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`|\S*[/\\]\S*|\S+\.\w{1,5}(?::\d+)?\b/g, " ").match(/\p{L}{2,}/gu);
  return (words?.length ?? 0) < 4;
}
