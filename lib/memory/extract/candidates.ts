/**
 * What people, agents and summaries said that may become an observation. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { blocksOf } from "./blocks.ts";
import {
  categoryOfHeading,
  categoryOfLead,
  ERRAND,
  isComplaint,
  isDirective,
  PROPOSAL,
  RESULT,
  SPECULATION,
  TECHNICAL,
} from "./cues.ts";
import { isJunk, isNarration, lengthOf, NOTHING_WRONG } from "./junk.ts";
import { categoryOf } from "./kinds.ts";
import { type Statement, statementsIn } from "./statements.ts";

/** A sentence, word for word, and what it is worth. */
export interface Candidate {
  /** Redacted; white space is single. */
  text: string;
  category: ObservationCategory;
  /** The more, the rather it is kept: 1 for a plain statement, 12 for a decision of a person. */
  weight: number;
  /** Which message it comes from, from 0. */
  message: number;
  /** The name of the file, where it tells no more than that this one was changed. */
  file?: string;
  /** The path of that file, as the tool tells it. */
  path?: string;
  /** The command of a check that went well, which the same check later in the session replaces. */
  check?: string;
}

/** Where in the session an agent says something. */
export interface Place {
  /** Which message it is, from 0. */
  message: number;
  /** Whether it is the agent's last word before a person speaks, or before the end. */
  isConclusion: boolean;
  /** Whether that person had asked something. */
  isAnswer: boolean;
  /** Whether a person says it to whom the agent had put a question. */
  isReply: boolean;
}

/** A person's word counts more than the agent's; how it shall be more than how it is. */
const WEIGHTS: Record<ObservationCategory, { user: number; agent: number; summary: number }> = {
  "decision": { user: 12, agent: 6, summary: 8 },
  "code-change": { user: 6, agent: 6, summary: 5 },
  "error": { user: 11, agent: 6, summary: 7 },
  "key-fact": { user: 6, agent: 5, summary: 6 },
  "compaction-summary": { user: 0, agent: 0, summary: 4 },
};

/** The last word on a task is worth more than others, and of any word what is said first. */
const CONCLUSION_BONUS = 2;
const FIRST = 2;
const FIRST_BONUS = 2;
const EARLY = 5;
const EARLY_BONUS = 1;

/** What names something. */
const TECHNICAL_BONUS = 2;

/** A sentence of this length says what it is about; a much shorter one seldom does. */
const FULL = 100;
const FULL_BONUS = 1;
const BARE = 50;
const BARE_MALUS = 1;

/** No word tells what kind of statement it is. */
const UNCUED_MALUS = 4;

/** Somebody wanted to know it. */
const ANSWER_BONUS = 1;

/** From here on a sentence without any cue may tell something. */
const PLAIN = 45;

/** Longer ones are kept, but count less: text that long is seldom one statement. */
const LONG = 400;

/** Shorter ones seldom say what they are about. */
const SHORT = 24;

const SHORT_MALUS = 7;

/** A short answer is understood with the question, which the agent repeats as often as not. */
const REPLY_MALUS = 3;

/** What is longer was not typed: it is a document, which can be read where it is. */
const LONGEST_SAID = 2_000;
const DOCUMENT_MALUS = 4;

const ERRAND_MALUS = 4;

/** What is offered is worth less than what is said: it may be refused. */
const PROPOSAL_MALUS = 2;

/** A shorter one that names nothing cannot be understood later: "I'll add it", "I've fixed this". */
const VAGUE: Partial<Record<ObservationCategory, number>> = { "decision": 44, "code-change": 30 };

const VAGUE_MALUS = 3;

/** A conjunction that ties a sentence to one that is not kept. */
const CONJUNCTION =
  /^(?:(?:and|but|so|then|also|ok(?:ay)?|yes|right|well|good|great|thanks|sure|hm+)[,.!:]?\s+(?:[-\u2013]\s+)?)+/i;

/** What a summary says of itself. */
const ABOUT_ITSELF = /^Compacted from \d+ messages/;

/** What a file is, not what became of it. */
const STATE = /\b(?:this (?:file|class|module|component) |contains\b|is defined\b|is located\b)/i;

/** What is announced to be mended was wrong. */
const MENDS_IT =
  /^(?:let me|I'll|I will|let's|I need to|I should|we need to) (?:now |also )?(?:fix|correct|address|handle|change|resolve) (?:that|this|it|these|those|them)\b/i;

/** What is told next is what was wrong. */
const FOUND_IT =
  /^(?:I )?(?:(?:have )?found|now I see|here's|this is) (?:the|an?) (?:\w+ )?(?:issue|problem|bug|cause|culprit)[.!:]*$/i;

/** Candidates in the redacted words of a person; what a report of an issue says is given. */
export function userCandidates(
  words: string,
  { message, isReport, isReply }: { message: number; isReport: boolean; isReply: boolean },
): Candidate[] {
  const wrong = isReport ? "key-fact" : "error";
  const isDocument = words.length > LONGEST_SAID;
  return Array.from(statementsIn(words, { readQuotes: false }), ({ text }) => withoutLead(text))
    .filter((text) => !isJunk(text) && !text.endsWith("?"))
    .map((text) => {
      const isTechnical = TECHNICAL.test(text);
      const cued = categoryOfLead(text) ??
        (isDirective(text) ? "decision" : isComplaint(text) ? wrong : categoryOf(text));
      const category = isReply && cued !== "error" ? "decision" : cued ?? "key-fact";
      const isShort = lengthOf(text) < SHORT && !isTechnical;
      const weight = WEIGHTS[category].user + (isTechnical ? TECHNICAL_BONUS : 0) -
        (cued === undefined ? 1 : 0) - (isShort ? (isReply ? REPLY_MALUS : SHORT_MALUS) : 0) -
        (isDocument && cued !== undefined ? DOCUMENT_MALUS : 0) -
        (ERRAND.test(text) ? ERRAND_MALUS : 0);
      return { text, category, weight, message };
    });
}

/** Candidates in the redacted words of an agent. */
export function agentCandidates(
  words: string,
  { message, isConclusion, isAnswer }: Place,
): Candidate[] {
  const statements = Array.from(statementsIn(words, { readQuotes: true }));
  return statements.flatMap((statement, index): Candidate[] => {
    const { isChoice } = statement;
    const text = withoutColon(statement.text);
    if (isChoice || isJunk(text) || isNarration(text)) return [];
    const isWrong = MENDS_IT.test(statements[index + 1]?.text ?? "") ||
      FOUND_IT.test(statements[index - 1]?.text ?? "");
    const cued = isWrong ? "error" : cuedCategory({ ...statement, text });
    const isTechnical = TECHNICAL.test(text);
    const isPlain = isConclusion && lengthOf(text) >= PLAIN;
    if (cued === undefined && !isTechnical && !isPlain) return [];
    const category = cued ?? "key-fact";
    const weight = WEIGHTS[category].agent +
      (index < FIRST ? FIRST_BONUS : index < EARLY ? EARLY_BONUS : 0) +
      (lengthOf(text) >= FULL ? FULL_BONUS : lengthOf(text) < BARE ? -BARE_MALUS : 0) +
      (isConclusion ? CONCLUSION_BONUS : 0) +
      (isAnswer && category === "key-fact" ? ANSWER_BONUS : 0) +
      (isTechnical ? TECHNICAL_BONUS : 0) -
      (cued === undefined ? UNCUED_MALUS : 0) -
      (PROPOSAL.test(text) || SPECULATION.test(text) ? PROPOSAL_MALUS : 0) -
      (!isTechnical && lengthOf(text) < (VAGUE[category] ?? 0) ? VAGUE_MALUS : 0) -
      (text.length > LONG ? 2 : 0);
    return [{ text, category, weight, message }];
  });
}

function cuedCategory({ text, heading }: Statement): ObservationCategory | undefined {
  const isOpen = SPECULATION.test(text);
  const isResult = RESULT.test(text) && !isOpen && !STATE.test(text);
  const above = isOpen && heading === "code-change" ? undefined : heading;
  return categoryOfLead(text) ?? above ?? (isResult ? "code-change" : categoryOf(text));
}

/** What a document that an agent wrote decides, with its reasons; the rest can be read there. */
export function documentCandidates(markdown: string, message: number): Candidate[] {
  return Array.from(statementsIn(markdown, { readQuotes: true })).flatMap((statement) => {
    const text = withoutColon(statement.text);
    if (isJunk(text) || isNarration(text)) return [];
    const own = categoryOf(text);
    if (own !== "decision" && statement.heading !== "decision") return [];
    const weight = WEIGHTS.decision.agent + (own === "decision" ? 1 : 0);
    return [{ text, category: "decision", weight, message }];
  });
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

/** What leads to a list says something by itself, if it tells what was done or decided. */
function withoutColon(text: string): string {
  const said = text.slice(0, -1);
  return text.endsWith(":") && categoryOf(said) !== undefined ? said : text;
}

function withoutLead(sentence: string): string {
  const rest = sentence.replace(CONJUNCTION, "");
  return rest.split(" ").length >= 4 ? rest : sentence;
}
