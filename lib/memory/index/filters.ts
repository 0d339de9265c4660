// Selects observations by their own fields. Pure.

import { AgentxError } from "../../base/errors.ts";
import { DAY_MS } from "../../base/time.ts";

/** The filters of a search; a filter that is left out matches everything (SPEC-AgentX section 3.1). */
export interface SearchFilters {
  /** The agent, with all its workers; or one worker, `engineer@2`. */
  agent?: string;
  /** The issue; 0 is the project. */
  issueNumber?: number;
  /** The category, such as `decision`. */
  category?: string;
  /** The oldest time: a date or an ISO-8601 time, UTC. */
  from?: string;
  /** The newest time: a date, which includes the whole day, or an ISO-8601 time, UTC. */
  to?: string;
}

/** The fields that filters look at. */
export interface Filtered {
  agent: string;
  issueNumber: number;
  category: string;
  /** Milliseconds since the epoch; 0 if it is not known. */
  timeMs: number;
}

/** Returns whether an observation matches the filters. */
export type Matcher = (entry: Filtered) => boolean;

const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads filters. An observation without a known time matches any time.
 *
 * @throws {AgentxError} `INVALID_INPUT` for an invalid time
 */
export function matcherOf(filters: SearchFilters): Matcher {
  const { agent, issueNumber, category } = filters;
  const { fromMs, toMs } = boundsOf(filters);
  return (entry) => {
    if (agent !== undefined && entry.agent !== agent && !entry.agent.startsWith(`${agent}@`)) {
      return false;
    }
    if (issueNumber !== undefined && entry.issueNumber !== issueNumber) return false;
    if (category !== undefined && entry.category !== category) return false;
    if (fromMs === -Infinity && toMs === Infinity) return true;
    const { timeMs } = entry;
    return timeMs === 0 || timeMs >= fromMs && timeMs <= toMs;
  };
}

/**
 * Returns the first and the last moment that match, in milliseconds since the epoch.
 *
 * @throws {AgentxError} `INVALID_INPUT` for an invalid time
 */
export function boundsOf({ from, to }: SearchFilters): { fromMs: number; toMs: number } {
  const lastMs = DATE.test(to ?? "") ? DAY_MS - 1 : 0;
  return {
    fromMs: timeOf("from", from) ?? -Infinity,
    toMs: (timeOf("to", to) ?? Infinity) + lastMs,
  };
}

function timeOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = Date.parse(text);
  if (!Number.isNaN(timeMs)) return timeMs;
  throw new AgentxError("INVALID_INPUT", `Cannot use "${text}" as ${field}: it is not a time`, {
    details: { field, value: text },
    next: "Give a date such as 2026-02-27, or a time such as 2026-02-27T10:00:00Z",
  });
}
