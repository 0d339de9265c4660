// How many runs of agents the log of today has.

import { isObject, tryParseJson } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { dayOf } from "../base/time.ts";

const OPERATION = "agent-started";

/** The runs that questions have started since midnight (UTC); the sessions of people do not count. */
export function runsToday(folder: string): number {
  return readToday(folder).split("\n").filter((line) => {
    const entry = line.includes(OPERATION) ? tryParseJson(line) : undefined;
    return isObject(entry) && entry.operation === OPERATION && entry.sessionId === undefined;
  }).length;
}

/** Where the log cannot be read, nothing is known of the day, and work does not stop for that. */
function readToday(folder: string): string {
  return orElse("", () => sys.readTextFile(`${folder}/${dayOf(sys.now())}.jsonl`) ?? "");
}
