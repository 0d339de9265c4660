// What a line of the log says, for people. Pure.

import type { LogLine } from "./follower.ts";

/** Fields that have a place of their own. */
const SHOWN = ["time", "operation", "agent", "issueNumber"];

/** The issue that a line is about; undefined where it is about none. */
export function logIssue({ issueNumber, clarificationId }: LogLine): number | undefined {
  const number = issueNumber ?? /^CLR-(\d+)-/.exec(`${clarificationId}`)?.[1];
  return number === undefined || number === null ? undefined : Number(number);
}

/** What a line says besides who did what, when, and on which issue. */
export function logDetail(line: LogLine): string {
  return Object.entries(line)
    .filter(([field, value]) => !SHOWN.includes(field) && value !== null && value !== undefined)
    .map(([field, value]) => `${field}=${value}`).join(" ");
}
