// Shows a line of the log to people. Pure.

import type { LogLine } from "./follower.ts";

/** Fields that have a place of their own. */
const SHOWN = ["time", "operation", "agent", "issueNumber"];

/** A kind of the thinking log (PRD P1.4). */
export type LogKind = "info" | "toolCall" | "toolResult" | "apiCall" | "warning" | "error";

/** The first that fits counts. */
const KINDS: readonly (readonly [kind: LogKind, fits: RegExp])[] = [
  ["toolCall", /^tool-invoked running/],
  ["toolResult", /^tool-invoked/],
  ["apiCall", /^agent-(?:started|completed)/],
  ["warning", /stale|escalated|took-over|waited|^thinking-log warning/],
  ["error", /error|failed/],
  ["info", /^/],
];

/** The names of the kinds. */
export const LOG_KINDS: readonly LogKind[] = KINDS.map(([kind]) => kind);

/** The kind of a line. */
export function logKind({ operation, kind, status }: LogLine): LogKind {
  const detail = operation === "tool-invoked" ? status : kind;
  return KINDS.find(([, fits]) => fits.test(`${operation} ${detail}`))![0];
}

/** The issue that a line is about; undefined where it is about none. */
export function logIssue({ issueNumber, clarificationId }: LogLine): number | undefined {
  const number = issueNumber ?? /^CLR-(\d+)-/.exec(`${clarificationId}`)?.[1];
  return number === undefined || number === null ? undefined : Number(number);
}

/** The actor of a line; undefined where a line of an earlier version names only the agents concerned. */
export function logAgent({ operation, agent, fromAgent }: LogLine): string | undefined {
  const isTheirs = /^(?:clarification-requested|handoff-triggered)$/.test(operation);
  const name = agent ?? (isTheirs ? fromAgent : undefined);
  return name === undefined || name === null ? undefined : `${name}`;
}

/** The details of a line, without its agent, operation, time and issue. */
export function logDetail(line: LogLine): string {
  return Object.entries(line)
    .filter(([field, value]) => !SHOWN.includes(field) && value !== null && value !== undefined)
    .map(([field, value]) => `${field}=${value}`).join(" ");
}
