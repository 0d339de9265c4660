// Counts today's runs of agents in the log.

import { sys } from "../sys/mod.ts";
import { dayOf } from "../base/time.ts";
import { readLog } from "./read_log.ts";

/**
 * Returns the number of runs that questions have started since midnight (UTC); sessions of people do not count. If the
 * log cannot be read, no runs are counted, because work does not stop for that.
 */
export function runsToday(folder: string): number {
  const sinceMs = Date.parse(dayOf(sys.now()));
  return readLog(folder, { kind: "agent-started", sinceMs })
    .filter(({ sessionId }) => sessionId === undefined).length;
}
