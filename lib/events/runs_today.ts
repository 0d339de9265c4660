// How many runs of agents the log of today has.

import { sys } from "../sys/mod.ts";
import { dayOf } from "../base/time.ts";
import { readLog } from "./read_log.ts";

/**
 * The runs that questions have started since midnight (UTC); the sessions of people do not count. Where the
 * log cannot be read, nothing is known of the day, and work does not stop for that.
 */
export function runsToday(folder: string): number {
  const sinceMs = Date.parse(dayOf(sys.now()));
  return readLog(folder, { kind: "agent-started", sinceMs })
    .filter(({ sessionId }) => sessionId === undefined).length;
}
