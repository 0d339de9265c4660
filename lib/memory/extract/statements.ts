/**
 * What people and agents said, as candidates. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { type Block, blocksOf } from "./blocks.ts";
import type { Candidate } from "./candidate.ts";
import { categoryOf, isDirective, isErrand, isProposal, isTechnical, tellsResult } from "./cues.ts";
import { categoryOfHeading, categoryOfLead, leadsChoice } from "./headings.ts";
import { isJunk, isNarration, lengthOf } from "./junk.ts";
import { sentencesOf } from "./sentences.ts";

type Weights = Record<ObservationCategory, number>;

/** A person's word counts more than the agent's; how it shall be more than how it is. */
const USER_WEIGHTS: Weights = {
  decision: 10,
  "code-change": 6,
  error: 7,
  "key-fact": 6,
  "compaction-summary": 0,
};

const AGENT_WEIGHTS: Weights = {
  decision: 6,
  "code-change": 5,
  error: 6,
  "key-fact": 5,
  "compaction-summary": 0,
};

/** What an item of a list is worth more than a sentence. */
const ITEM_BONUS = 2;

/** What the last word on a task is worth more. */
const CONCLUSION_BONUS = 2;

const TECHNICAL_BONUS = 1;

/** From here on a sentence without any cue may tell something. */
const PLAIN = 45;

/** Longer ones are kept, but what runs over several lines is seldom a statement. */
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

/**
 * @param text what a person said, redacted
 * @param message which message it is
 * @returns the sentences that tell something
 */
export function userCandidates(text: string, message: number): Candidate[] {
  const found: Candidate[] = [];
  for (const { text: said } of statementsIn(text, { readQuotes: false })) {
    const sentence = withoutLead(said);
    if (isJunk(sentence) || sentence.endsWith("?")) continue;
    const technical = isTechnical(sentence);
    const cued = isDirective(sentence) ? "decision" : categoryOf(sentence);
    const category = cued ?? "key-fact";
    const weight = USER_WEIGHTS[category] + (technical ? TECHNICAL_BONUS : 0) -
      (cued === undefined ? 1 : 0) - (lengthOf(sentence) < SHORT && !technical ? SHORT_MALUS : 0) -
      (isErrand(sentence) ? ERRAND_MALUS : 0);
    found.push({ text: sentence, category, weight, message });
  }
  return found;
}

/** Options of {@linkcode agentCandidates}. */
export interface AgentCandidatesOptions {
  /** Which message it is. */
  message: number;
  /** Whether a person answered next, or nobody did. */
  isConclusion: boolean;
}

/**
 * @param text what the agent said, redacted
 * @param options where it stands
 * @returns the sentences and items of lists that tell something
 */
export function agentCandidates(text: string, options: AgentCandidatesOptions): Candidate[] {
  const { message, isConclusion } = options;
  const found: Candidate[] = [];
  for (
    const { text: sentence, heading, kind, isChoice } of statementsIn(text, { readQuotes: true })
  ) {
    if (isChoice || isJunk(sentence) || isNarration(sentence)) continue;
    const isItem = kind !== "paragraph";
    const cued = categoryOfLead(sentence) ?? heading ?? categoryInAnswer(sentence);
    const technical = isTechnical(sentence);
    if (cued === undefined && !technical && !(isConclusion && lengthOf(sentence) >= PLAIN)) {
      continue;
    }
    const category = cued ?? "key-fact";
    const weight = AGENT_WEIGHTS[category] +
      (isItem ? ITEM_BONUS : 0) +
      (isConclusion ? CONCLUSION_BONUS : 0) +
      (technical ? TECHNICAL_BONUS : 0) -
      (cued === undefined ? 2 : 0) -
      (isProposal(sentence) ? PROPOSAL_MALUS : 0) -
      (sentence.length > LONG ? 2 : 0);
    found.push({ text: sentence, category, weight, message });
  }
  return found;
}

function categoryInAnswer(sentence: string): ObservationCategory | undefined {
  return tellsResult(sentence) ? "code-change" : categoryOf(sentence);
}

interface Statement {
  text: string;
  kind: Block["kind"];
  /** What the heading above, or the sentence before the list, says about it. */
  heading: ObservationCategory | undefined;
  /** Whether it is an item of a list to choose from. */
  isChoice: boolean;
}

function* statementsIn(text: string, options: { readQuotes: boolean }): Generator<Statement> {
  let heading: ObservationCategory | undefined;
  let lead: string | undefined;
  for (const { kind, text: said } of blocksOf(text, options)) {
    if (kind === "heading") {
      heading = categoryOfHeading(said);
      lead = undefined;
      continue;
    }
    const sentences = sentencesOf(said);
    if (kind === "paragraph") lead = sentences.findLast((sentence) => sentence.endsWith(":"));
    const before = kind === "item" ? lead ?? "" : "";
    const isChoice = leadsChoice(before);
    const led = categoryOfHeading(before);
    for (const sentence of sentences) {
      yield { text: sentence, kind, heading: led ?? heading, isChoice };
    }
  }
}

function withoutLead(sentence: string): string {
  const rest = sentence.replace(CONJUNCTION, "");
  return rest.split(" ").length >= 4 ? rest : sentence;
}
