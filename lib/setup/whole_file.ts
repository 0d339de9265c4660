// A file that agentx writes as a whole. Pure.

import type { Format } from "./part.ts";

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
