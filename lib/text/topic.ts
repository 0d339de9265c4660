// The topic of a clarification. Pure.

/**
 * Makes one topic of those that differ only in how they are written: lower case, single spaces, no
 * punctuation at its ends.
 */
export function normalizeTopic(topic: string): string {
  const words = topic.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return words.replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, "") || words;
}
