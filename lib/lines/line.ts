// A line is one change in a file that two branches may write: JSON that is never altered again. Pure.
//
// The reader of a line knows its meaning. This file gives a line an identity, so that the same line in two files counts
// once, and a form, so that one bad line does not hide the others.

import { isListOfTexts, isObject, isTime, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { randomBytes } from "../sys/random_bytes.ts";

/** One change of one thing. */
export interface Line {
  /** The version of the line's form: 1. */
  v: number;
  /** The id of this line; the lines of one change share the part before the dot. */
  id: string;
  /** The id of the changed thing. */
  uid: string;
  /** The time of the change by the author's clock, ISO-8601, UTC. */
  time: string;
  /** The author: an agent, or `human`. */
  by: string;
  /** The kind of change. */
  op: string;
  /** The ids of the earlier changes that the author knew and that this change replaces. */
  after?: string[];
  /** The fields of this kind of change. */
  [key: string]: unknown;
}

/** The problem of a line, or of a whole file. */
export interface LineProblem {
  path: string;
  /** The number of the line, from 1; null for the whole file. */
  line: number | null;
  /** The problem, without a final period. */
  why: string;
}

/** The problem of a line that was cut by a full disk or an incomplete copy. */
export const CUT_OFF = "it is not JSON; it may be cut off";

/** The newest form of a line that is known here. */
export const LINE_VERSION = 1;

/** Maximum characters of a line that is read or written: more than a body of 65,536 characters takes, escaped. */
const MAX_LINE = 1_048_576;

const ID = /^[\w.~-]{1,128}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Returns 60 random bits, as in the ids of lines and the names of files. */
export function randomId(): string {
  return Array.from(randomBytes(12), (byte) => (byte & 31).toString(32)).join("");
}

/** Returns the line as it stands in a file, with its line end. */
export function encodeLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Throws `INVALID_INPUT` for a line that would not be read again. */
export function checkLength(line: Line): void {
  const { length } = JSON.stringify(line);
  if (length <= MAX_LINE) return;
  const why = `it takes ${length} characters, and ${MAX_LINE} are allowed`;
  throw new AgentxError("INVALID_INPUT", `Cannot keep one change: ${why}`, {
    details: { field: line.op, value: length },
    next: "Nothing was written; shorten it, or make several changes of it",
  });
}

/** Reads one line, or describes its problem in a few words. */
export function parseLine(text: string): Line | string {
  if (text.length > MAX_LINE) return `it has more than ${MAX_LINE} characters`;
  const value = tryParseJson(text);
  if (value === undefined) {
    return CONFLICT.test(text) ? "it is a conflict marker" : CUT_OFF;
  }
  if (!isObject(value)) return "it is not an object";
  const { v, id, uid, time, by, op, after = [] } = value;
  if (typeof v !== "number") return "it has no version";
  if (v > LINE_VERSION) return `a newer agentx wrote it (version ${v})`;
  if (typeof id !== "string" || !ID.test(id)) return "its id is not one";
  if (typeof uid !== "string" || uid === "" || uid.length > 128) return "its uid is not one";
  if (!isTime(time)) return "its time is not one";
  if (typeof by !== "string" || typeof op !== "string") return "it lacks who or what";
  if (!isListOfTexts(after)) return "its `after` is not a list of ids";
  if (!UTC.test(time)) value.time = isoTime(time);
  return value as unknown as Line;
}

/** Returns the id of the change that a line belongs to. */
export function changeIdOf(lineId: string): string {
  const end = lineId.lastIndexOf(".");
  return end < 0 ? lineId : lineId.slice(0, end);
}

/** Returns the ids of lines by the id of the changed thing. */
export function idsByUid(lines: readonly Line[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const { uid, id } of lines) (all[uid] ??= []).push(id);
  return all;
}

/** Compares by time, then by id, for sorting: negative if `a` comes first. */
export function byTime(a: Pick<Line, "time" | "id">, b: Pick<Line, "time" | "id">): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
