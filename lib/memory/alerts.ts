// Alerts a person to a memory that has grown too large, or to a last session that left nothing in it (SPEC-AgentX
// section 12.3).

import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";

/** An alert: a sentence without a final period, and the next step; null if nothing has to be done. */
export interface MemoryAlert {
  message: string;
  next: string | null;
}

const MAX_BYTES = 40_000_000;
const MAX_OBSERVATIONS = 40_000;

/** Minimum bytes of an observation: in a small memory, the observations need not be counted. */
const LEAST_BYTES = 200;

/**
 * Returns the alerts. A small memory is not opened, because `status` also calls this.
 *
 * @param home `.agentx`
 */
export async function memoryAlerts(
  home: string,
  getStats: () => Promise<{ bytes: number; totalObservations: number }>,
): Promise<MemoryAlert[]> {
  const isSmall = bytesBelow(`${home}/memory`) < MAX_OBSERVATIONS * LEAST_BYTES;
  const { bytes, totalObservations: count } = isSmall
    ? { bytes: 0, totalObservations: 0 }
    : await getStats();
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

/** Bytes of the files in a folder and below. */
export function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const name of sys.readDir(folder)) {
    const info = sys.lstat(`${folder}/${name}`);
    bytes += info?.kind === "directory" ? bytesBelow(`${folder}/${name}`) : info?.size ?? 0;
  }
  return bytes;
}
