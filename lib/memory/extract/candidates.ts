/**
 * What people, agents and summaries said that may become an observation. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import {
  categoryOf,
  categoryOfHeading,
  categoryOfLead,
  ERRAND,
  isDirective,
  PROPOSAL,
  RESULT,
  TECHNICAL,
} from "./cues.ts";
import { isJunk, isNarration, lengthOf, NOTHING_WRONG } from "./junk.ts";
import { blocksOf, statementsIn } from "./statements.ts";

/** A sentence, word for word, and what it is worth. */
export interface Candidate {
  /** Redacted; white space is single. */
  text: string;
  category: ObservationCategory;
  /** The more, the rather it is kept: 1 for a plain statement, 10 for a decision of a person. */
  weight: number;
  /** Which message it comes from, from 0. */
  message: number;
  /** The name of the file, where it tells no more than that this one was changed. */
  file?: string;
}

/** A person's word counts more than the agent's; how it shall be more than how it is. */
const WEIGHTS: Record<ObservationCategory, { user: number; agent: number; summary: number }> = {
  "decision": { user: 10, agent: 6, summary: 8 },
  "code-change": { user: 6, agent: 5, summary: 5 },
  "error": { user: 7, agent: 6, summary: 7 },
  "key-fact": { user: 6, agent: 5, summary: 6 },
  "compaction-summary": { user: 0, agent: 0, summary: 4 },
};

/** An item of a list is worth more than a sentence, and the last word on a task more than others. */
const ITEM_BONUS = 2;
const CONCLUSION_BONUS = 2;
const TECHNICAL_BONUS = 1;

/** From here on a sentence without any cue may tell something. */
const PLAIN = 45;

/** Longer ones are kept, but count less: text that long is seldom one statement. */
const LONG = 400;

/** Shorter ones seldom say what they are about. */
const SHORT = 24;

const SHORT_MALUS = 7;

const ERRAND_MALUS = 4;

/** What is offered is worth less than what is said: it may be refused. */
const PROPOSAL_MALUS = 2;

/** A conjunction that ties a sentence to one that is not kept. */
const CONJUNCTION =
  /^(?:(?:and|but|so|then|also|ok(?:ay)?|yes|right|well|good|great|thanks|sure|hm+)[,.!:]?\s+(?:[-\u2013]\s+)?)+/i;

/** What a summary says of itself. */
const ABOUT_ITSELF = /^Compacted from \d+ messages/;

/** Candidates in the redacted words of a person. */
export function userCandidates(words: string, message: number): Candidate[] {
  return Array.from(statementsIn(words, { readQuotes: false }), ({ text }) => withoutLead(text))
    .filter((text) => !isJunk(text) && !text.endsWith("?"))
    .map((text) => {
      const isTechnical = TECHNICAL.test(text);
      const cued = isDirective(text) ? "decision" : categoryOf(text);
      const category = cued ?? "key-fact";
      const isShort = lengthOf(text) < SHORT && !isTechnical;
      const weight = WEIGHTS[category].user + (isTechnical ? TECHNICAL_BONUS : 0) -
        (cued === undefined ? 1 : 0) - (isShort ? SHORT_MALUS : 0) -
        (ERRAND.test(text) ? ERRAND_MALUS : 0);
      return { text, category, weight, message };
    });
}

/** Candidates in the redacted words of an agent; a conclusion is its last word before a person's. */
export function agentCandidates(
  words: string,
  { message, isConclusion }: { message: number; isConclusion: boolean },
): Candidate[] {
  const found: Candidate[] = [];
  for (const { text, heading, kind, isChoice } of statementsIn(words, { readQuotes: true })) {
    if (isChoice || isJunk(text) || isNarration(text)) continue;
    const inText = RESULT.test(text) ? "code-change" : categoryOf(text);
    const cued = categoryOfLead(text) ?? heading ?? inText;
    const isTechnical = TECHNICAL.test(text);
    const isPlain = isConclusion && lengthOf(text) >= PLAIN;
    if (cued === undefined && !isTechnical && !isPlain) continue;
    const category = cued ?? "key-fact";
    const weight = WEIGHTS[category].agent +
      (kind === "paragraph" ? 0 : ITEM_BONUS) +
      (isConclusion ? CONCLUSION_BONUS : 0) +
      (isTechnical ? TECHNICAL_BONUS : 0) -
      (cued === undefined ? 2 : 0) -
      (PROPOSAL.test(text) ? PROPOSAL_MALUS : 0) -
      (text.length > LONG ? 2 : 0);
    found.push({ text, category, weight, message });
  }
  return found;
}

/**
 * The items of a redacted summary (SPEC-AgentX section 2.2) under the category of their section; what
 * is outside of any section is a summary.
 */
export function summaryCandidates(summary: string): Candidate[] {
  const found: Candidate[] = [];
  let category: ObservationCategory = "compaction-summary";
  for (const { kind, text } of blocksOf(summary, { readQuotes: true })) {
    if (kind === "heading") category = categoryOfHeading(text) ?? "compaction-summary";
    else if (ABOUT_ITSELF.test(text) || isJunk(text)) continue;
    else if (category === "error" && NOTHING_WRONG.test(text)) continue;
    else found.push({ text, category, weight: WEIGHTS[category].summary, message: 0 });
  }
  return found;
}

function withoutLead(sentence: string): string {
  const rest = sentence.replace(CONJUNCTION, "");
  return rest.split(" ").length >= 4 ? rest : sentence;
}
