// How often each observation was recalled, and when it last was: local state, so that a recall changes no file that is
// shared through version control.

import { isObject } from "../../base/checks.ts";
import { JsonFile } from "../../lock/json_file.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";

/** The file of the counts. */
interface RecallFile {
  version: 1;
  counts: Record<string, number>;
  /** Time of the last recall by id, in milliseconds since the epoch. Earlier releases do not set it, but keep it. */
  recalledMs?: Record<string, number>;
}

/** Owner of `.agentx/state/memory-recalls.json`. */
export class RecallCounts {
  readonly #file: JsonFile<RecallFile>;

  constructor(path: string, locks: FileLockManager) {
    this.#file = new JsonFile<RecallFile>(path, locks, {
      problemWith,
      fsync: false,
      kind: "state",
    });
  }

  /** Returns how often each id was recalled; a missing id was never recalled. */
  read(): Map<string, number> {
    return new Map(Object.entries(this.#file.read()?.counts ?? {}));
  }

  /** Adds one recall to the count of each id. */
  async increment(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#change((counts, recalledMs) => {
      for (const id of ids) {
        counts[id] = (counts[id] ?? 0) + 1;
        recalledMs[id] = sys.now();
      }
    });
  }

  /** Returns the time of the last recall by id, in milliseconds since the epoch. */
  times(): Map<string, number> {
    return new Map(Object.entries(this.#file.read()?.recalledMs ?? {}));
  }

  /** Moves the counts of observations to their new ids; `ids` has the new id by the old one. */
  async rename(ids: ReadonlyMap<string, string>): Promise<void> {
    const known = this.read();
    if (![...ids.keys()].some((id) => known.has(id))) return;
    await this.#change((counts, recalledMs) => {
      for (const [before, now] of ids) {
        if (!Object.hasOwn(counts, before)) continue;
        counts[now] = (counts[now] ?? 0) + counts[before];
        delete counts[before];
        if (!Object.hasOwn(recalledMs, before)) continue;
        recalledMs[now] = Math.max(recalledMs[now] ?? 0, recalledMs[before]);
        delete recalledMs[before];
      }
    });
  }

  async #change(
    change: (counts: Record<string, number>, recalledMs: Record<string, number>) => void,
  ): Promise<void> {
    await this.#file.update("memory", (file = { version: 1, counts: {} }) => {
      change(file.counts, file.recalledMs ??= {});
      return file;
    });
  }
}

function problemWith(value: unknown): string | undefined {
  const { version, counts, recalledMs = {} } = (value ?? {}) as Partial<RecallFile>;
  if (version !== 1) return `version must be 1, not ${JSON.stringify(version)}`;
  if (!isObject(counts)) return "counts must be an object";
  if (!isObject(recalledMs)) return "recalledMs must be an object";
  return [counts, recalledMs].every((numbers) => Object.values(numbers).every(Number.isSafeInteger))
    ? undefined
    : "a count or a time must be a whole number";
}
