/**
 * What of memory is shown. Not everything in a store came in through a capture: an issue file may be
 * one of the original AgentX, be edited by hand, or come with a pull.
 *
 * @module
 */

/**
 * Redacts what leaves memory. What redacts is loaded here only: to look for something needs none of it.
 *
 * @param value observations, index entries, or what holds them
 * @returns a copy without secrets and private parts
 */
export async function shown<T>(value: T): Promise<T> {
  const { redactValue } = await import("../redact.ts");
  return redactValue(value);
}
