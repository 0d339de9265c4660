// A file that agentx writes as a whole. Pure.

import type { PartFormat } from "./part.ts";

export function wholeFile(ours: string): PartFormat {
  return {
    isWhole: true,
    presence: (text) => text === "" ? "absent" : text === ours ? "same" : "different",
    insert: () => ours,
    withdraw: (text) => text === ours ? "" : text,
    found: () => [],
    isEmpty: (text) => text.trim() === "",
  };
}
