// Compaction: old observations that no recall needed lately go to the archive. Pure.

import { DAY_MS } from "../../base/time.ts";
import type { Observation } from "../schema.ts";

/** Younger observations are not archived (SPEC-AgentX section 9.4). */
const OLD_DAYS = 90;

/** Returns the ids to archive, of all observations of an issue; `recalledMs` has the time of each last recall. */
export function findArchivable(
  all: readonly Observation[],
  recalledMs: ReadonlyMap<string, number>,
  nowMs: number,
): string[] {
  const before = nowMs - OLD_DAYS * DAY_MS;
  const isOld = ({ id, timestamp, retracted }: Observation) =>
    retracted === undefined && Date.parse(timestamp) < before &&
    (recalledMs.get(id) ?? 0) < before;
  const staying = new Set(all.filter((each) => !isOld(each)).map(({ id }) => id));
  // A correction stays with the observation that it corrects; without it, recalls would bring that one back.
  return all.filter(({ id, supersedes = "" }) => !staying.has(id) && !staying.has(supersedes))
    .map(({ id }) => id);
}
