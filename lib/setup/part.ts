// The entries of agentx in a file that may hold more: how they are inserted, removed and recognised. Pure.

import type { JsonObject } from "../base/checks.ts";

/** Whether a text has the entries of agentx. */
export type Presence = "absent" | "same" | "different";

/** An entry of agentx in a file, perhaps edited. */
export interface Found {
  /** The keys that lead to it, or for a handler of an event, to its list. */
  at: readonly string[];
  value: JsonObject;
}

/** The content of agentx in one file of a host. */
export interface Part {
  /** The file, absolute. */
  path: string;
  /** Whether other hosts read the file too: it stays while one of them is set up. */
  isShared: boolean;
  /** Whether agentx wrote the whole file: an edited one is kept as it is. */
  isWhole: boolean;
  /** The text of a missing file is empty. */
  presence(text: string): Presence;
  insert(text: string): string;
  withdraw(text: string): string;
  /** The entries that are settings. */
  found(text: string): Found[];
  /** Whether a text holds nothing, so its file may be removed. */
  isEmpty(text: string): boolean;
}

/** A part without its place. */
export type PartFormat = Pick<Part, Exclude<keyof Part, "path" | "isShared">>;
