/**
 * What is ours in a file that may hold more: how it is put in, taken out and recognised. Pure.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";

/** How what is ours stands in a text. */
export type Presence = "absent" | "same" | "different";

/** A value of ours as it stands in a file, perhaps edited. */
export interface Found {
  /** The keys that lead to it; for a handler of an event, those of the list. */
  at: readonly string[];
  value: JsonObject;
}

/** What is ours in one file of a host. */
export interface Part {
  /** The file, absolute. */
  path: string;
  /** Whether other hosts share it, so that it stays while one of them is set up. */
  isShared: boolean;
  /** Whether the whole file is ours, so that an edited one is kept as it is. */
  isWhole: boolean;
  /** How it stands in a text; an empty one is that of a missing file. */
  presence(text: string): Presence;
  /** The text with what is ours, which is not in it yet. */
  insert(text: string): string;
  /** The text without what is ours. */
  withdraw(text: string): string;
  /** What is ours in a text, where it has settings of its own. */
  found(text: string): Found[];
  /** Whether a text says nothing, so that its file may go. */
  isEmpty(text: string): boolean;
}

/** How a kind of file is changed, apart from where it is. */
export type Format = Pick<Part, Exclude<keyof Part, "path" | "isShared">>;
