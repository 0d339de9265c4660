/**
 * A file that is ours from its first character to its last. Pure.
 *
 * @module
 */

import type { Format } from "./part.ts";

/** @returns how a file with this text is made and recognised */
export function wholeFile(ours: string): Format {
  return {
    isWhole: true,
    presence: (text) => text === "" ? "absent" : text === ours ? "same" : "different",
    insert: () => ours,
    withdraw: (text) => text === ours ? "" : text,
    found: () => [],
    isEmpty: (text) => text.trim() === "",
  };
}
