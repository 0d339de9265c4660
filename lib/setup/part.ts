// The entries of agentx in a file that may contain more: inserts, removes and recognizes them. Pure.

import type { JsonObject } from "../base/checks.ts";

/** Whether a text has the entries of agentx, and whether they are the current ones. */
export type Presence = "absent" | "same" | "different";

/** An entry of agentx in a file; it may have been edited. */
export interface Found {
  /** The keys that lead to the entry; for a handler of an event, the keys that lead to its list. */
  at: readonly string[];
  value: JsonObject;
}

/** The content of agentx in one file of a host. */
export interface Part {
  /** The absolute path of the file. */
  path: string;
  /** Whether other hosts read the file, too. It then stays while one of them is set up. */
  isShared: boolean;
  /** Whether agentx wrote the whole file. An edited file is then kept as it is. */
  isWhole: boolean;
  /** Returns the state of the entries in a text; pass an empty text for a missing file. */
  presence(text: string): Presence;
  insert(text: string): string;
  withdraw(text: string): string;
  /** Returns the entries that are settings. */
  found(text: string): Found[];
  /** Whether a text has no content, so its file may be removed. */
  isEmpty(text: string): boolean;
}

/** A part without its file. */
export type PartFormat = Pick<Part, Exclude<keyof Part, "path" | "isShared">>;
