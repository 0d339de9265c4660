/**
 * The beginning of a text that is too long. Pure.
 *
 * @module
 */

/** As many whole sentences or lines of a text as fit, else as many words. */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters);
  const sentences = /^[^]*(?:[.!?](?=\s)|(?=\n))/u.exec(start)?.[0];
  if (sentences !== undefined && sentences.length > 0) return sentences;
  return start.slice(0, start.lastIndexOf(" ") + 1 || start.length).trimEnd().toWellFormed();
}
