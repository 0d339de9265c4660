// What a person should know of a memory (SPEC-AgentX section 12.3): that it has grown too large, or that the
// last session left nothing in it.

import { readLog } from "../events/read_log.ts";
import type { JsonObservationStore } from "./store/store.ts";

/** A sentence without a final period, and what can be done; null where nothing has to be. */
export interface MemoryAlert {
  message: string;
  next: string | null;
}

const MAX_BYTES = 40_000_000;
const MAX_OBSERVATIONS = 40_000;

/** No observation takes less, so that a small memory need not be counted. */
const LEAST_BYTES = 200;

/** @param home `.agentx` */
export async function memoryAlerts(
  home: string,
  store: Pick<JsonObservationStore, "bytes" | "getStats">,
): Promise<MemoryAlert[]> {
  const { bytes } = store;
  const count = bytes < MAX_OBSERVATIONS * LEAST_BYTES
    ? 0
    : (await store.getStats()).totalObservations;
  const last = readLog(`${home}/log`, { kind: "memory-captured" }).at(-1);
  return [
    ...bytes <= MAX_BYTES ? [] : [{
      message: `memory takes ${Math.round(bytes / 1e6)} MB, which is over 40 MB`,
      next: "See of what with: agentx memory stats",
    }],
    ...count <= MAX_OBSERVATIONS ? [] : [{
      message: `memory has ${count} observations, which is over ${MAX_OBSERVATIONS}`,
      next: "Archive the old ones with: agentx memory compact",
    }],
    ...last?.count !== 0
      ? []
      : [{ message: `the last session left nothing to remember (${last.agent})`, next: null }],
  ];
}
