/**
 * How often each observation was recalled: local state, so that a recall changes no file that is
 * shared through version control.
 *
 * @module
 */

import { type FileLockManager, JsonFile } from "../../lock/mod.ts";

interface RecallFile {
  version: 1;
  counts: Record<string, number>;
}

/** Owner of `.agentx/state/memory-recalls.json`. */
export class RecallCounts {
  readonly #file: JsonFile<RecallFile>;

  /**
   * @param path `.agentx/state/memory-recalls.json`
   * @param locks the locks of this process
   */
  constructor(path: string, locks: FileLockManager) {
    this.#file = new JsonFile<RecallFile>(path, locks, {
      problemWith,
      fsync: false,
      kind: "state",
    });
  }

  /**
   * @returns times recalled by id; an id that is missing was never recalled
   * @throws {AgentxError} `CORRUPT_STATE`
   */
  read(): Map<string, number> {
    return new Map(Object.entries(this.#file.read()?.counts ?? {}));
  }

  /**
   * Counts one more recall of each.
   *
   * @param ids the observations that were recalled
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async increment(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#file.update("memory", (file = { version: 1, counts: {} }) => {
      for (const id of ids) file.counts[id] = (file.counts[id] ?? 0) + 1;
      return file;
    });
  }

  /**
   * Follows observations that have other ids now.
   *
   * @param ids the new ids, by the old ones
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async rename(ids: ReadonlyMap<string, string>): Promise<void> {
    const known = this.read();
    if (![...ids.keys()].some((id) => known.has(id))) return;
    await this.#file.update("memory", (file = { version: 1, counts: {} }) => {
      for (const [before, now] of ids) {
        if (!Object.hasOwn(file.counts, before)) continue;
        file.counts[now] = (file.counts[now] ?? 0) + file.counts[before];
        delete file.counts[before];
      }
      return file;
    });
  }
}

function problemWith(value: unknown): string | undefined {
  const { version, counts } = (value ?? {}) as Partial<RecallFile>;
  if (version !== 1) return `version must be 1, not ${JSON.stringify(version)}`;
  if (typeof counts !== "object" || counts === null) return "counts must be an object";
  return Object.values(counts).every(Number.isSafeInteger)
    ? undefined
    : "a count must be a whole number";
}
