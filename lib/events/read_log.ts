// Reads the log by agent, kind, issue and time.

import { roleOf } from "../base/agent_names.ts";
import { DAY_MS } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import { LogFollower, type LogLine } from "./follower.ts";
import { logIssue, logKind } from "./log_line.ts";

/** The lines to return; an absent field matches everything. */
export interface LogFilter {
  /** An agent, with or without its session. */
  agent?: string;
  /**
   * A kind such as `toolCall`; or the name of an event or operation, or the beginning of one, such as `clarification`.
   */
  kind?: string;
  /** The number of an issue. */
  issue?: number;
  /** Earliest time, in milliseconds since the epoch. */
  sinceMs?: number;
}

/** The fields that name an actor or the other party. */
const NAMES = ["agent", "fromAgent", "toAgent"] as const;

/**
 * Returns the lines of the log that match a filter.
 *
 * @param folder `.agentx/log`
 * @param filter by default, all lines of the last day
 * @returns the lines, the oldest first
 */
export function readLog(
  folder: string,
  { agent, kind, issue, sinceMs = sys.now() - DAY_MS }: LogFilter = {},
): LogLine[] {
  return [...new LogFollower(folder, { sinceMs }).poll()].filter((line) =>
    (kind === undefined || line.operation.startsWith(kind) || logKind(line) === kind) &&
    (issue === undefined || logIssue(line) === issue) &&
    (agent === undefined || NAMES.some((name) => isAgent(`${line[name] ?? ""}`, agent)))
  ).sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
}

function isAgent(name: string, wanted: string): boolean {
  return name === wanted || roleOf(name) === wanted;
}
