// Formats a line of the log for people. Pure.

import type { LogLine } from "./follower.ts";

/** Fields that are shown in a place of their own, not among the details. */
const SHOWN = ["time", "operation", "agent", "issueNumber"];

/** A kind of the thinking log (PRD P1.4). */
export type LogKind = "info" | "toolCall" | "toolResult" | "apiCall" | "warning" | "error";

/** The kinds with their patterns; the first match counts. */
const KINDS: readonly (readonly [kind: LogKind, fits: RegExp])[] = [
  ["toolCall", /^tool-invoked running/],
  ["toolResult", /^tool-invoked/],
  ["apiCall", /^agent-(?:started|completed)/],
  ["warning", /stale|escalated|took-over|waited|^thinking-log warning/],
  ["error", /error|failed/],
  ["info", /^/],
];

export const LOG_KINDS: readonly LogKind[] = KINDS.map(([kind]) => kind);

export function logKind({ operation, kind, status }: LogLine): LogKind {
  const detail = operation === "tool-invoked" ? status : kind;
  return KINDS.find(([, fits]) => fits.test(`${operation} ${detail}`))![0];
}

/** Returns the issue that a line is about; undefined if it is about none. */
export function logIssue({ issueNumber, clarificationId }: LogLine): number | undefined {
  const number = issueNumber ?? /^CLR-(\d+)-/.exec(`${clarificationId}`)?.[1];
  return number === undefined || number === null ? undefined : Number(number);
}

/** Returns the actor of a line; undefined if a line of an earlier version names only the agents involved. */
export function logAgent({ operation, agent, fromAgent }: LogLine): string | undefined {
  const isTheirs = /^(?:clarification-requested|handoff-triggered)$/.test(operation);
  const name = agent ?? (isTheirs ? fromAgent : undefined);
  return name === undefined || name === null ? undefined : `${name}`;
}

/** Returns the details of a line, without its agent, operation, time and issue. */
export function logDetail(line: LogLine): string {
  return Object.entries(line)
    .filter(([field, value]) => !SHOWN.includes(field) && value !== null && value !== undefined)
    .map(([field, value]) => `${field}=${value}`).join(" ");
}
