// Reads an issue of another tool, and counts the imported and the dropped fields. Pure.

import {
  isText,
  isTime,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
} from "../../../base/checks.ts";
import { AgentxError } from "../../../base/errors.ts";
import { isoTime } from "../../../base/time.ts";
import { isDay, type IssueComment } from "../issue.ts";
import { checkLabels } from "../labels.ts";
import type { Statuses } from "./statuses.ts";

/** A comment to import. */
export interface ImportedComment extends IssueComment {
  /** The comment's id in the tracker and a hash of its text, such as `c000000000000042-1f3a5b7c9d2e4f60`. */
  id?: string;
}

/** An issue to import. Its values are not checked yet. */
export interface ImportedIssue {
  /** Place of the record, such as `issues.jsonl:12`. */
  at: string;
  /** The `uid` for a new issue; if left out, the import chooses one. */
  uid?: string;
  /** Keys that identify the issue in a later import. The first is stored as its `source`. */
  keys: string[];
  /** The names that other records of the import use for this issue. */
  ids: string[];
  /** The issue's number in the tracker; null if it has none. */
  number: number | null;
  title: string;
  body: string;
  status: string;
  labels: string[];
  assignee: string | null;
  /** Id of the parent issue, as in the `ids` of its record. */
  parent: string | null;
  /** Ids of the issues that this one waits for; `blocks` has those that wait for this one. */
  blockedBy: string[];
  blocks: string[];
  comments: ImportedComment[];
  /** Whether `comments` is complete. If so, a local comment that it lacks was deleted in the tracker. */
  hasAllComments?: boolean;
  due: string | null;
  milestone: string | null;
  author: string;
  /** ISO-8601, UTC; undefined if unknown. The same applies to `updated` and `closed`. */
  created: string | undefined;
  updated: string | undefined;
  closed: string | undefined;
  /** Whether the record is a whole file. Two files with one id may be different issues, not versions of one. */
  isOwnFile?: boolean;
}

/** How often each field was imported, and how often it was dropped. */
export interface FieldCounts {
  taken: Record<string, number>;
  left: Record<string, number>;
  /** The dropped fields of each record. */
  byRecord: Array<{ at: string; left: string[] }>;
}

/** The data of this workspace that a reader needs. */
export interface Here {
  /** The issue types that have a workflow. */
  types: readonly string[];
  /** Finds the board columns for statuses. */
  statuses: Statuses;
  /** ISO-8601, UTC. */
  now: string;
}

/** The name of an unknown author. */
export const UNKNOWN = "unknown";

/** The fields of one record. Fields that no reader asks for count as dropped. */
export class Fields {
  readonly #record: JsonObject;
  readonly #left: string[] = [];
  readonly #asked = new Set<string>();
  readonly #unused = new Set<string>();

  /** @param record the raw record */
  constructor(record: JsonObject) {
    this.#record = record;
  }

  /** Returns the value of a field, and marks the field as imported. */
  take(name: string): unknown {
    this.#asked.add(name);
    return this.#record[name];
  }

  /** Returns the text of a field, or the fallback. */
  text(name: string, fallback = ""): string {
    const value = this.take(name);
    return isText(value) && value.trim() !== "" ? value : fallback;
  }

  /** Returns the first nonempty text of several fields; empty if all are empty. */
  first(...names: string[]): string {
    return names.map((name) => this.text(name)).find((text) => text !== "") ?? "";
  }

  /** Returns the time in a field; undefined if there is none. */
  time(name: string): string | undefined {
    const value = this.take(name);
    const time = timeOf(value);
    if (time === undefined && !isEmpty(value)) this.leave(name, name);
    return time;
  }

  /** Returns the day in a field; null if there is none. */
  day(name: string): string | null {
    const day = this.text(name).slice(0, "2026-12-24".length);
    if (isDay(day)) return day;
    if (day !== "") this.leave(name, name);
    return null;
  }

  /** Returns the objects in a list. */
  objects(name: string): JsonObject[] {
    const value = this.take(name);
    if (!Array.isArray(value) && value !== 0 && !isEmpty(value)) this.leave(name, name);
    return listOf(value).map(objectOf);
  }

  /** Returns the texts in a list, or a single text as a list. */
  texts(name: string): string[] {
    const value = this.take(name);
    return (isText(value) ? [value] : listOf(value)).filter(isText).filter((text) => text !== "");
  }

  /**
   * Counts a value as dropped.
   *
   * @param field the field, if no part of it was imported
   */
  leave(what: string, field?: string): void {
    this.#left.push(what);
    if (field !== undefined) this.#unused.add(field);
  }

  /** Adds the fields of this record to the counts. */
  count(at: string, { taken, left, byRecord }: FieldCounts): void {
    const used = [...this.#asked].filter((name) => !this.#unused.has(name));
    const others = Object.keys(this.#record).filter((name) => !this.#asked.has(name));
    const isHeld = (name: string) => !isEmpty(this.#record[name]);
    const lost = [...others.filter(isHeld), ...this.#left];
    for (const name of used.filter(isHeld)) add(taken, name);
    for (const what of lost) add(left, what);
    if (lost.length > 0) byRecord.push({ at, left: lost });
  }
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (Object.hasOwn(counts, name) ? counts[name] : 0) + 1;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Converts a time to ISO-8601. A time without a zone is read as UTC. */
function timeOf(value: unknown): string | undefined {
  if (!isText(value)) return undefined;
  const [, day, time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(value) ??
    [];
  const text = day === undefined ? value : `${day}T${time}Z`;
  return isTime(text) ? isoTime(text) : undefined;
}

/**
 * Returns the labels that an issue can have. A label that breaks the rules of a known kind is changed: a type
 * without a workflow, a second priority and `area/cli, docs` become ordinary labels.
 */
export function fittingLabels(
  wanted: readonly string[],
  fields: Fields,
  types: readonly string[],
): string[] {
  let labels: string[] = [];
  for (const label of wanted) {
    const fitting = formsOf(label, types).map((form) => withLabel(labels, form))
      .find((each) => each !== undefined);
    if (fitting === undefined) fields.leave("some labels");
    else labels = fitting;
  }
  return labels;
}

const RANKS: Record<string, string> = {
  critical: "p0",
  urgent: "p0",
  high: "p1",
  medium: "p2",
  low: "p3",
};

/** Returns the label for a priority such as `high`; undefined for an unknown word. */
export function rankLabel(word: string): string | undefined {
  const rank = word.trim().toLowerCase();
  return Object.hasOwn(RANKS, rank) ? `priority:${RANKS[rank]}` : undefined;
}

/** Returns the possible forms of a label in this workspace, best first. */
function formsOf(label: string, types: readonly string[]): string[] {
  const text = label.replaceAll(",", ";").replaceAll(/\p{Cc}+/gu, " ").trim();
  const [, kind = "", value = ""] = /^(type|priority|size)\s*[:/]\s*(.+)$/i.exec(text) ?? [];
  if (kind === "") return [text, text.replace(":", " ")];
  const word = value.toLowerCase();
  if (kind.toLowerCase() === "type") return [...typeLabel(word, types), value];
  if (kind.toLowerCase() === "size") return [`size:${word}`, `size ${value}`];
  return [rankLabel(word) ?? `priority:${word}`, `priority ${value}`];
}

function withLabel(labels: readonly string[], label: string): string[] | undefined {
  try {
    return checkLabels([...labels, label]);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return undefined;
  }
}

/** Returns the label for a type; an ordinary label if the type has no workflow. */
export function typeLabel(type: string, types: readonly string[]): string[] {
  return type === "" ? [] : [types.includes(type) ? `type:${type}` : type];
}

/** Returns the comment in a list; an empty list if the comment has no text. */
export function importedComments(author: unknown, body: unknown, created: unknown): IssueComment[] {
  const text = stringOf(body);
  if (text === undefined || text.trim() === "") return [];
  return [{ author: stringOf(author) ?? UNKNOWN, body: text, created: timeOf(created) ?? "" }];
}

/** Joins the parts of a body, each under its heading. */
export function bodyOf(
  text: string,
  sections: ReadonlyArray<[heading: string, text: string]>,
): string {
  const more = sections.filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `## ${heading}\n\n${text.trim()}`);
  return [...text.trim() === "" ? [] : [text.trim()], ...more].join("\n\n");
}
