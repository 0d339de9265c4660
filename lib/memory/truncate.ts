/**
 * The beginning of a text that is too long. Pure.
 *
 * @module
 */

/**
 * @param text anything
 * @param maxCharacters at most so many are kept
 * @returns as many whole sentences or lines as fit, else as many words
 */
export function beginningOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters);
  const sentences = /^[^]*(?:[.!?](?=\s)|(?=\n))/u.exec(start)?.[0];
  if (sentences !== undefined && sentences.length > 0) return sentences;
  return start.slice(0, start.lastIndexOf(" ") + 1 || start.length).trimEnd().toWellFormed();
}
