// The summary of a clarification, which replaces it in the context once it is settled: one or two
// sentences (PRD, open question on resolved clarifications). Pure.

import { outcomeOf } from "../clarify/hub/outcome.ts";
import { type ClarificationRecord, lastEntry } from "../clarify/schema.ts";
import { inertLines } from "../text/inert.ts";

/** Longest part of it that an agent wrote, in characters. */
const MAX_SUMMARY = 400;

/** One sentence, or two. */
const SENTENCES = /^.+?[.!?](?=\s|$)(?:\s.+?[.!?](?=\s|$))?/;

/** The answer of the last round, or a human's decision, in one or two sentences. */
export function threadSummary(record: ClarificationRecord): string {
  const { id, to, topic, round } = record;
  const { answer } = outcomeOf(record, round);
  const decision = lastEntry(record, "resolution");
  const byHuman = decision?.from === "human" ? decision.body : undefined;
  const summary = firstSentences(byHuman ?? answer ?? decision?.body ?? "no answer");
  const who = byHuman === undefined ? to : "a human";
  return `[${id} settled, "${firstSentences(topic)}"] ${who}: ${summary}`;
}

/** The first one or two sentences of a text, on one line. */
export function firstSentences(text: string): string {
  const line = inertLines(text).join(" ").replace(/\s+/g, " ").trim();
  const sentences = SENTENCES.exec(line)?.[0] ?? line;
  if (sentences.length <= MAX_SUMMARY) return sentences;
  const start = sentences.slice(0, MAX_SUMMARY - 3).toWellFormed();
  return `${start.slice(0, start.lastIndexOf(" ") + 1 || start.length).trimEnd()}...`;
}
