// The summary that replaces a settled clarification in the context: one or two sentences (PRD, open question on
// resolved clarifications). Pure.

import { outcomeOf } from "../clarify/hub/outcome.ts";
import { type ClarificationRecord, lastEntry } from "../clarify/schema.ts";
import { inertLines } from "../text/inert.ts";

/** The maximum length of an agent's words in a summary, in characters. */
const MAX_SUMMARY = 400;

/** Matches the first one or two sentences. */
const SENTENCES = /^.+?[.!?](?=\s|$)(?:\s.+?[.!?](?=\s|$))?/;

/** Returns the answer of the last round, or a human's decision, in one or two sentences. */
export function threadSummary(record: ClarificationRecord): string {
  const { id, to, topic, round } = record;
  const { answer } = outcomeOf(record, round);
  const decision = lastEntry(record, "resolution");
  const byHuman = decision?.from === "human" ? decision.body : undefined;
  const summary = firstSentences(byHuman ?? answer ?? decision?.body ?? "no answer");
  const who = byHuman === undefined ? to : "a human";
  return `[${id} settled, "${firstSentences(topic)}"] ${who}: ${summary}`;
}

/** Returns the first one or two sentences of a text, on one line. */
export function firstSentences(text: string): string {
  const line = inertLines(text).join(" ").replace(/\s+/g, " ").trim();
  const sentences = SENTENCES.exec(line)?.[0] ?? line;
  if (sentences.length <= MAX_SUMMARY) return sentences;
  const start = sentences.slice(0, MAX_SUMMARY - 3).toWellFormed();
  return `${start.slice(0, start.lastIndexOf(" ") + 1 || start.length).trimEnd()}...`;
}
