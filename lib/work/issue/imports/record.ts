// Reads an issue of another tool, and counts which fields were imported. Pure.

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

/** A comment that is to be imported. */
export interface ImportedComment extends IssueComment {
  /** Such as `c000000000000042-1f3a5b7c9d2e4f60`: its id there, and a hash of its text. */
  id?: string;
}

/** An issue that is to be imported; nothing of it has been checked. */
export interface ImportedIssue {
  /** Where it was read, such as `issues.jsonl:12`. */
  at: string;
  /** The `uid` that a new one gets; left out, it follows from the rest. */
  uid?: string;
  /** By which it is known when it is imported again; the first is remembered. */
  keys: string[];
  /** The names of it in other issues of the import. */
  ids: string[];
  /** Its number there; null where it has none. */
  number: number | null;
  title: string;
  body: string;
  status: string;
  labels: string[];
  assignee: string | null;
  /** The issue that it is a part of, as this one is called in `ids`. */
  parent: string | null;
  /** The issues that it waits for, and those that wait for it. */
  blockedBy: string[];
  blocks: string[];
  comments: ImportedComment[];
  /** A comment that is here and not among these was deleted there. */
  hasAllComments?: boolean;
  due: string | null;
  milestone: string | null;
  author: string;
  /** ISO-8601, UTC; undefined where it is not known. */
  created: string | undefined;
  updated: string | undefined;
  closed: string | undefined;
  /** A file of its own: another one of its id may be another issue, not an older text of this one. */
  isOwnFile?: boolean;
}

/** How often each field was used, and how often there was no place for it. */
export interface FieldCounts {
  taken: Record<string, number>;
  left: Record<string, number>;
  /** The same by record: what each one lost. */
  byRecord: Array<{ at: string; left: string[] }>;
}

/** A reader's view of this workspace. */
export interface Here {
  /** The types of issues that have a workflow. */
  types: readonly string[];
  /** The columns for statuses. */
  statuses: Statuses;
  /** ISO-8601, UTC. */
  now: string;
}

/** A name that is not known. */
export const UNKNOWN = "unknown";

/** The fields of one record; those that nobody reads count as dropped. */
export class Fields {
  readonly #record: JsonObject;
  readonly #left: string[] = [];
  readonly #asked = new Set<string>();
  readonly #unused = new Set<string>();

  /** @param record as it was read */
  constructor(record: JsonObject) {
    this.#record = record;
  }

  /** The value of a field that has been imported. */
  take(name: string): unknown {
    this.#asked.add(name);
    return this.#record[name];
  }

  /** The text of a field, or the fallback. */
  text(name: string, fallback = ""): string {
    const value = this.take(name);
    return isText(value) && value.trim() !== "" ? value : fallback;
  }

  /** The text of the first of some fields that has one, or nothing. */
  first(...names: string[]): string {
    return names.map((name) => this.text(name)).find((text) => text !== "") ?? "";
  }

  /** The time in a field; undefined if there is none. */
  time(name: string): string | undefined {
    const value = this.take(name);
    const time = timeOf(value);
    if (time === undefined && !isEmpty(value)) this.leave(name, name);
    return time;
  }

  /** The day in a field; null if there is none. */
  day(name: string): string | null {
    const day = this.text(name).slice(0, "2026-12-24".length);
    if (isDay(day)) return day;
    if (day !== "") this.leave(name, name);
    return null;
  }

  /** The objects in a list. */
  objects(name: string): JsonObject[] {
    const value = this.take(name);
    if (!Array.isArray(value) && value !== 0 && !isEmpty(value)) this.leave(name, name);
    return listOf(value).map(objectOf);
  }

  /** The texts in a list, or the one text. */
  texts(name: string): string[] {
    const value = this.take(name);
    return (isText(value) ? [value] : listOf(value)).filter(isText).filter((text) => text !== "");
  }

  /**
   * Counts a value as dropped.
   *
   * @param field that was asked for in vain; left out, there is a place for the rest of it
   */
  leave(what: string, field?: string): void {
    this.#left.push(what);
    if (field !== undefined) this.#unused.add(field);
  }

  /** Adds the record to the account. */
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

/** A time without a zone is taken for UTC. */
function timeOf(value: unknown): string | undefined {
  if (!isText(value)) return undefined;
  const [, day, time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(value) ??
    [];
  const text = day === undefined ? value : `${day}T${time}Z`;
  return isTime(text) ? isoTime(text) : undefined;
}

/**
 * The labels that an issue can have. A label that is almost one of ours stays in other words: a type without a
 * workflow, a second priority and `area/cli, docs` become ordinary labels.
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

/** The label for a priority in words, such as `high`; undefined for a word that is not known. */
export function rankLabel(word: string): string | undefined {
  const rank = word.trim().toLowerCase();
  return Object.hasOwn(RANKS, rank) ? `priority:${RANKS[rank]}` : undefined;
}

/** A label as it would be here, the best form first. */
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

/** The label for a type; without a workflow of that type, an ordinary label. */
export function typeLabel(type: string, types: readonly string[]): string[] {
  return type === "" ? [] : [types.includes(type) ? `type:${type}` : type];
}

/** A comment; undefined if it is empty. */
export function importedComments(author: unknown, body: unknown, created: unknown): IssueComment[] {
  const text = stringOf(body);
  if (text === undefined || text.trim() === "") return [];
  return [{ author: stringOf(author) ?? UNKNOWN, body: text, created: timeOf(created) ?? "" }];
}

/** Joins parts of a body, each under its heading. */
export function bodyOf(
  text: string,
  sections: ReadonlyArray<[heading: string, text: string]>,
): string {
  const more = sections.filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `## ${heading}\n\n${text.trim()}`);
  return [...text.trim() === "" ? [] : [text.trim()], ...more].join("\n\n");
}
