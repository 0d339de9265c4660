// The topic of a clarification. Pure.

import { clip } from "../base/quote.ts";

/** Returns the topic of a question without one: its first line. */
export function topicOf(question: string): string {
  return clip(question.trim().split("\n")[0]);
}

/**
 * Normalizes a topic, so that topics that differ only in spelling are equal: lower case, single spaces, no punctuation
 * at the ends.
 */
export function normalizeTopic(topic: string): string {
  const words = topic.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return words.replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, "") || words;
}
