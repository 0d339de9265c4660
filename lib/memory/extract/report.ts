/**
 * What an agent reports at the end of its work, before a person speaks again. Pure.
 *
 * @module
 */

import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import type { Candidate } from "./select.ts";
import { isJunk, isNarration } from "./junk.ts";
import { kindOf, REASON, TECHNICAL, worthOf } from "./kind.ts";
import { pointsIn } from "./points.ts";
import { saidByAgent } from "./said.ts";

/** Where a report stands. */
export interface ReportPlace {
  message: number;
  /** Whether files were changed, or something was committed, since a person spoke. */
  isWork: boolean;
  /** Whether nothing is said after it. */
  isLast: boolean;
  /** Whether the person who speaks next objects. */
  isRefused: boolean;
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
const MARKS =
  /^(?:[\u2705\u2713\u2714\u2022\u2b50]\ufe0f?|\*\*\d+[.)]?\*\*|\d+[.)]|(?:In short|Done|So|Also|Now|Note|Summary)[:,.!] )\s*/u;

/** What an agent says before it repeats what was decided. */
const HEARD =
  /^(?:got it|understood|agreed|noted|makes sense|right|perfect|sure|okay?)\b[^:;,.\u2013\u2014-]{0,30}[:;,.\u2013\u2014-]\s*(?=\S.{30})/i;

/** The points of a report that stand alone and are worth knowing next time. */
export function reportCandidates(words: string, place: ReportPlace): Candidate[] {
  const { message, isWork, isLast, isRefused } = place;
  const own = saidByAgent(withoutScaffolding(words));
  if (PLANS.test(own) && !isWork) return [];
  const isReport = isWork || SUMS_UP.test(own) || REPORTS.test(own.slice(0, OPENING));
  const base = (isReport ? WEIGHT.work : isLast ? 0 : WEIGHT.answer) + (isLast ? WEIGHT.last : 0);
  return Array.from(pointsIn(own)).flatMap(({ text: written, isAside }): Candidate[] => {
    const text = written.replace(MARKS, "").replace(HEARD, "").trim();
    if (isAside || text.length > LONGEST || isJunk(text) || isNarration(text) || isBare(text)) {
      return [];
    }
    if (!isReport && !isLast && !(REASON.test(text) && TECHNICAL.test(text))) return [];
    const category = kindOf(text);
    // What was done and then refused is undone as often as not; why it was wrong stays true.
    if (isRefused && category !== "error") return [];
    return [{ text, category, weight: base + worthOf(text), message }];
  });
}

/** A path or a link, with hardly a word about it. */
function isBare(text: string): boolean {
  const words = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`|\S*[/\\]\S*|\S+\.\w{1,5}(?::\d+)?\b/g, " ").match(/\p{L}{2,}/gu);
  return (words?.length ?? 0) < 4;
}
