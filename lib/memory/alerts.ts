// Alerts a person to a memory that has grown too large, or to a last session that left nothing in it (SPEC-AgentX
// section 12.3).

import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";

/** A sentence without a final period, and what can be done; null where nothing has to be. */
export interface MemoryAlert {
  message: string;
  next: string | null;
}

const MAX_BYTES = 40_000_000;
const MAX_OBSERVATIONS = 40_000;

/** No observation takes less, so that a small memory need not be counted. */
const LEAST_BYTES = 200;

/**
 * A small memory is not opened, since `status` says this, too.
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
