// The lines of memory: a new observation, or a change of one. Pure.

import { isListOfTexts, isObject, type JsonObject } from "../base/checks.ts";
import { type Line, LINE_VERSION, randomId } from "../lines/line.ts";
import { described, isObservation, type Observation, readObservationId } from "./schema.ts";

/** A change of the observation that the line names. */
export type MemoryChange =
  | { op: "retract"; because: string }
  | { op: "anchor"; anchors: Observation["anchors"] | null; commit: string | null }
  | { op: "archive" }
  | { op: "restore" }
  | { op: "moved"; to: string }
  | { op: "undo"; undone: string[] }
  | { op: "forget"; salt: string; hashes: string[]; prints: string[] };

/** A line that changes an observation. */
export type ChangeLine = Line & MemoryChange;

/** An observation or a change, as one place in a file says it. */
export type MemoryEntry =
  | { observation: Observation; from?: string; isArchived?: boolean; line?: string }
  | { change: ChangeLine };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Keys of the line itself, which are not fields of the observation. */
const KEYS = ["v", "id", "uid", "time", "by", "op", "after", "session", "from"];

/** Makes the line for an observation, without derived fields; `from` is its id before its issue was renumbered. */
export function lineOf(observation: Observation, from?: string): Line {
  const { id, agent, issueNumber: _, sessionId, timestamp, summary, tokens, ...rest } = observation;
  const derived = described(rest.content);
  const isTime = TIME.test(timestamp);
  return {
    v: LINE_VERSION,
    id: randomId(),
    uid: id,
    time: isTime ? timestamp : new Date(readObservationId(id)!.timestampMs).toISOString(),
    by: agent,
    op: "note",
    session: sessionId,
    ...rest,
    ...(isTime ? {} : { timestamp }),
    ...(summary === derived.summary ? {} : { summary }),
    ...(tokens === derived.tokens ? {} : { tokens }),
    ...(from === undefined ? {} : { from }),
  };
}

/** Makes a line that changes an observation. */
export function changeOf(
  uid: string,
  change: MemoryChange,
  { by, time }: { by: string; time: string },
): Line {
  return {
    v: LINE_VERSION,
    id: randomId(),
    uid,
    time,
    by,
    ...change,
  };
}

/** Reads a line, or says in a few words why it cannot. */
export function readMemoryLine(line: Line): MemoryEntry | string {
  if (line.op !== "note") return isChange(line) ? { change: line } : "it is not a change of memory";
  const parts = readObservationId(line.uid);
  if (parts === undefined || typeof line.content !== "string") return "it is not an observation";
  const given: JsonObject = {};
  for (const key in line) if (!KEYS.includes(key)) given[key] = line[key];
  const observation: unknown = {
    id: line.uid,
    agent: parts.agent,
    issueNumber: parts.issueNumber,
    ...described(line.content),
    timestamp: line.time,
    sessionId: line.session,
    ...given,
  };
  if (!isObservation(observation)) return "it is not an observation";
  const said = { observation, line: line.id };
  return typeof line.from === "string" ? { ...said, from: line.from } : said;
}

function isChange(line: Line): line is ChangeLine {
  switch (line.op) {
    case "archive":
    case "restore":
      return true;
    case "retract":
      return typeof line.because === "string";
    case "anchor":
      return line.anchors === null || Array.isArray(line.anchors);
    case "moved":
      return typeof line.to === "string";
    case "undo":
      return isListOfTexts(line.undone);
    case "forget":
      return typeof line.salt === "string" && isListOfTexts(line.hashes) &&
        isListOfTexts(line.prints);
    default:
      return false;
  }
}

/** Whether a value that was stored outside a line file is a change line. */
export function isChangeLine(value: unknown): value is ChangeLine {
  return isObject(value) && isChange(value as unknown as Line);
}
