/**
 * The observations of a workspace on disk (SPEC-AgentX sections 2.5, 3.1 and 4).
 *
 * What `store()` acknowledged is on the disk once, whatever is killed when: it is appended to a
 * journal, and later flushed into the issue files. Readers take no lock.
 *
 * There is one lock, that of the journal, under which everything in the folder is written. No other
 * lock is taken while it is held; the counts of recalls have a lock of their own.
 *
 * @module
 */

import { checkIssueNumber } from "../../input_checks.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { loadRules } from "../../redact/known_clean.ts";
import { sys } from "../../sys/mod.ts";
import type { Compaction, Exchange } from "../compaction_plan.ts";
import {
  byTime,
  checkCapture,
  checkObservation,
  checkReason,
  type Observation,
  type ObservationIndex,
  parseObservationId,
} from "../schema.ts";
import { matcherOf, type SearchFilters } from "../search/filters.ts";
import {
  findObservations,
  type FoundObservation,
  listObservations,
  type ObservationHit,
  searchObservations,
} from "../search/search.ts";
import { type StoreChange, storeChange, tellHindered } from "./change.ts";
import { DerivedIndex } from "./derived_index.ts";
import { differenceOf } from "./difference.ts";
import { Forgetting } from "./forgetting.ts";
import type { ManifestState } from "./manifest.ts";
import {
  ObservationFiles,
  observationNotFound,
  type StoreExamination,
} from "./observation_files.ts";
import type { IObservationStore, RecallCandidates } from "./observation_store.ts";
import { RecallCounts } from "./recalls.ts";
import type { SecondGeneration } from "./second_generation.ts";
import type { StoreStats } from "./stats.ts";

/** Options of {@linkcode JsonObservationStore}. */
export interface ObservationStoreOptions {
  /** `.agentx/state/memory-recalls.json`. */
  recallsPath: string;
  /**
   * Called once for each thing that was skipped or rebuilt.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
  /**
   * Called before an observation is removed for good, and after: what is derived from it elsewhere
   * goes, too.
   *
   * @default {() => {}}
   */
  onRemoved?: () => void;
}

/** Observations in the journal from which on it is flushed into the issue files. */
const JOURNAL_SIZE = 64;

const DEFAULT_LIMIT = 20;

/** Observations of one issue that a recall chooses from: ten times as many as it has room for. */
const MAX_OWN = 2_000;

const AGENT = "memory";

/**
 * Owner of the files under `.agentx/memory/`. Its methods reject with an {@linkcode AgentxError}:
 * `IO_ERROR`; `NEWER_STATE` and `CORRUPT_STATE` for files that cannot be used; those that write
 * also `LOCK_TIMEOUT`.
 */
export class JsonObservationStore implements IObservationStore {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #files: ObservationFiles;
  readonly #derived: DerivedIndex;
  readonly #forgetting: Forgetting;
  readonly #recalls: RecallCounts;
  readonly #recallsPath: string;
  readonly #tell: (message: string) => void;
  readonly #onRemoved: () => void;

  /**
   * Names the folder, which need not exist; nothing is opened yet.
   *
   * @param folder `.agentx/memory`
   * @param locks the locks of this process
   * @param options where recalls are counted, what is called with notes, and the clock
   */
  constructor(folder: string, locks: FileLockManager, options: ObservationStoreOptions) {
    const { recallsPath, notify = () => {}, onRemoved = () => {} } = options;
    this.#onRemoved = onRemoved;
    const told = new Set<string>();
    this.#tell = (message) => {
      if (!told.has(message)) notify(message);
      told.add(message);
    };
    this.#folder = folder;
    this.#locks = locks;
    this.#files = new ObservationFiles(folder, this.#tell);
    this.#forgetting = new Forgetting(folder);
    this.#recalls = new RecallCounts(recallsPath, locks);
    this.#recallsPath = recallsPath;
    this.#derived = new DerivedIndex(folder, this.#files, {
      locked: (action) => this.#locked(action),
      tell: this.#tell,
    });
  }

  /**
   * As {@linkcode IObservationStore.store}. What it returns is on the disk: in the journal while the
   * file of its issue is damaged.
   */
  async store(observations: readonly Observation[]): Promise<Observation[]> {
    checkCapture(observations);
    if (observations.length === 0) return [];
    const copies = await this.#secondGeneration();
    return await this.#locked((change) => {
      const { fresh, waiting } = this.#files.append(observations, change);
      try {
        copies.keep(change);
      } catch (error) {
        tellHindered("Memory was not copied", error, this.#tell);
      }
      if (waiting >= JOURNAL_SIZE) this.#tryFlush(change);
      return fresh;
    });
  }

  /** See {@linkcode IObservationStore.getByIssue}. */
  async getByIssue(issueNumber: number): Promise<Observation[]> {
    await this.#settle();
    return this.#files.read([checkIssueNumber(issueNumber)]).observations;
  }

  /** See {@linkcode IObservationStore.candidates}. */
  async candidates(
    issueNumber: number,
    topics: readonly string[],
    limit: number,
  ): Promise<RecallCandidates> {
    checkIssueNumber(issueNumber);
    await this.#settle();
    return await this.#derived.look(async (view) => {
      const hits: FoundObservation[] = [];
      for (const topic of topics) hits.push(...await findObservations(topic, view, limit));
      return { own: view.newestOf(issueNumber, MAX_OWN), hits };
    });
  }

  /** See {@linkcode IObservationStore.getById}. */
  async getById(id: string): Promise<Observation | null> {
    const { issueNumber } = parseObservationId(id);
    const found = (await this.getByIssue(issueNumber)).find((each) => each.id === id);
    return found ?? this.#files.compacted(issueNumber).find((each) => each.id === id) ?? null;
  }

  /**
   * Reads the session that an observation comes from.
   *
   * @param id of an observation
   * @returns the observations of its session about the same issue, by time; it is one of them
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`
   */
  async getSession(id: string): Promise<Observation[]> {
    const all = await this.getByIssue(parseObservationId(id).issueNumber);
    const sessionId = all.find((each) => each.id === id)?.sessionId;
    if (sessionId === undefined) throw observationNotFound(id);
    return all.filter((each) => each.sessionId === sessionId).sort(byTime);
  }

  /** See {@linkcode IObservationStore.search}. */
  async search(
    query: string,
    limit: number = DEFAULT_LIMIT,
    filters?: SearchFilters,
  ): Promise<ObservationHit[]> {
    const matches = filters === undefined ? undefined : matcherOf(filters);
    await this.#settle();
    return await this.#derived.look((view) => searchObservations(query, view, limit, matches));
  }

  /** See {@linkcode IObservationStore.searchByFilters}. */
  async searchByFilters(filters: SearchFilters): Promise<ObservationIndex[]> {
    const matches = matcherOf(filters);
    const { issueNumber } = filters;
    await this.#settle();
    return await this.#derived.look((view) => listObservations(matches, view, issueNumber));
  }

  /** See {@linkcode IObservationStore.listByAgent}. */
  async listByAgent(agent: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ agent });
  }

  /** See {@linkcode IObservationStore.listByCategory}. */
  async listByCategory(category: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ category });
  }

  /** See {@linkcode IObservationStore.remove}. Once begun, whoever opens the store next ends it. */
  async remove(id: string): Promise<boolean> {
    const { issueNumber } = parseObservationId(id);
    const copies = await this.#secondGeneration();
    const isRemoved = await this.#change(issueNumber, ({ remove }, change) => {
      const isRemoved = remove(this.#files, id, change, () => {
        this.#onRemoved();
        this.#forgetting.begin(id, change);
      });
      copies.forget(id, change);
      return isRemoved;
    });
    this.#onRemoved(); // a session may have begun meanwhile
    return isRemoved;
  }

  /**
   * Marks an observation as wrong: it is kept, and is never found or recalled again.
   *
   * @param id of the observation
   * @param because why, 1 to 2,000 characters
   * @returns the observation as it is now
   * @throws {AgentxError} `NOT_FOUND`; `INVALID_INPUT`, also for one that was compacted
   */
  async retract(id: string, because: string): Promise<Observation> {
    const { issueNumber } = parseObservationId(id);
    const retracted = { because: checkReason(because), timestamp: timestamp() };
    return await this.#change(issueNumber, ({ retract }, change) => {
      return retract(this.#files, id, retracted, change);
    });
  }

  /** See {@linkcode IObservationStore.reanchor}. */
  async reanchor(id: string, place: Pick<Observation, "anchors" | "commit">): Promise<Observation> {
    const { issueNumber } = parseObservationId(id);
    return await this.#change(issueNumber, ({ reanchor }, change) => {
      return reanchor(this.#files, id, place, change);
    });
  }

  /**
   * Merges the old observations of an issue into summaries, which are taken apart again by
   * {@linkcode JsonObservationStore.restore}; what they do not say goes to the archive.
   *
   * @param issueNumber from 1
   * @param isDryRun true to change nothing, and only report what would be done
   * @returns the ids that were archived, and the summaries
   */
  async compact(
    issueNumber: number,
    { isDryRun = false }: { isDryRun?: boolean } = {},
  ): Promise<Compaction> {
    const all = await this.getByIssue(issueNumber);
    const { planCompaction } = await import("../compaction_plan.ts");
    const { remove: removed, add: added } = planCompaction(all, sys.now());
    const isDone = removed.length > 0 && !isDryRun;
    if (isDone) await this.replace(issueNumber, { remove: removed, add: added });
    const after = all.length - removed.length + added.length;
    return { issueNumber, before: all.length, after, removed, added };
  }

  /**
   * Replaces some observations by others in one step. Of the replaced ones the archive gets what those
   * that are added do not say.
   *
   * @param issueNumber the issue of all of them
   * @param exchange the ids to replace, and the observations to add
   * @throws {AgentxError} `NOT_FOUND` if an id does not exist, and nothing is changed;
   *   `INVALID_INPUT`
   */
  async replace(issueNumber: number, exchange: Exchange): Promise<void> {
    checkIssueNumber(issueNumber);
    for (const each of exchange.add) {
      checkObservation(each);
      if (each.issueNumber !== issueNumber) throw observationNotFound(each.id);
    }
    await this.#change(issueNumber, ({ replace }, change) => {
      replace(this.#files, issueNumber, exchange, change);
    });
  }

  /**
   * Undoes the compaction of an issue. A summary that was edited so that it cannot be taken apart any
   * more is kept, and told of.
   *
   * @param issueNumber from 1
   * @returns the observations that came back
   */
  async restore(issueNumber: number): Promise<Observation[]> {
    checkIssueNumber(issueNumber);
    const { originals, kept } = await this.#change(issueNumber, ({ restore }, change) => {
      return restore(this.#files, issueNumber, change);
    });
    for (const id of kept) {
      this.#tell(
        `Kept "${id}": it was edited, and what it says of each observation cannot be told apart. ` +
          `It stands for itself now; see it with: agentx memory get ${id}`,
      );
    }
    return originals;
  }

  /** See {@linkcode IObservationStore.recallCounts}. */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async recallCounts(): Promise<Map<string, number>> {
    return this.#recalls.read();
  }

  /** See {@linkcode IObservationStore.incrementRecallCount}. */
  async incrementRecallCount(ids: readonly string[]): Promise<void> {
    await this.#recalls.increment(ids);
  }

  /** See {@linkcode IObservationStore.listAll}. */
  async listAll(): Promise<Observation[]> {
    await this.#settle();
    return this.#files.read().observations;
  }

  /**
   * Reads all observations issue by issue: together they may be more than fits into memory.
   *
   * @returns those of one issue after the other, as {@linkcode JsonObservationStore.listAll}
   */
  async *scan(): AsyncGenerator<Observation[]> {
    await this.#settle();
    for (const issueNumber of this.#files.issueNumbers()) {
      yield this.#files.read([issueNumber]).observations;
    }
  }

  /** See {@linkcode IObservationStore.bytes}. */
  bytes(): number {
    return bytesBelow(this.#folder);
  }

  /**
   * As {@linkcode IObservationStore.archiveBeyond}. {@linkcode JsonObservationStore.restore} brings them
   * back.
   */
  async archiveBeyond(maxBytes: number): Promise<number | undefined> {
    const bytes = this.#files.bytes();
    if (bytes <= maxBytes) return undefined;
    const { planEviction } = await import("./eviction_plan.ts");
    const recalledMs = this.#recalls.times();
    const options = { recalledMs, bytes, maxBytes, nowMs: sys.now() };
    let archived = 0;
    for (const [issueNumber, ids] of planEviction(await this.listAll(), options)) {
      archived += await this.#change(issueNumber, ({ archiveSome }, change) => {
        return archiveSome(this.#files, issueNumber, ids, change);
      });
    }
    return archived;
  }

  /** See {@linkcode IObservationStore.getStats}. */
  async getStats(): Promise<StoreStats> {
    const { summariseStore } = await import("./stats.ts");
    return summariseStore(await this.listAll(), { bytes: this.bytes(), nowMs: sys.now() });
  }

  /**
   * Rebuilds everything that is derived from the observations.
   *
   * @returns how many observations there are
   */
  async rebuild(): Promise<number> {
    await this.#locked((change) => this.#flush(change));
    return await this.#derived.rebuild();
  }

  /**
   * Looks at every file that holds observations, and at the manifest.
   *
   * @returns how many issues have one, what is wrong with any, and what the manifest is like
   * @throws {AgentxError} `IO_ERROR`; `NEWER_STATE` for the manifest
   */
  examine(): StoreExamination & { manifest: ManifestState } {
    return { ...this.#files.examine(), manifest: this.#derived.manifestState() };
  }

  /**
   * Looks in the second generation for what was lost of the journal and of the counts of recalls.
   *
   * @param isFixing whether to bring it back; a damaged file of counts is moved beside the copy
   * @returns how many observations were lost, and whether counts were
   */
  async recover(isFixing: boolean): Promise<{ observations: number; hasCounts: boolean }> {
    const copies = await this.#secondGeneration();
    const counts = copies.lostRecalls();
    const lost = { observations: this.#files.unknownOf(copies.lost()).length, hasCounts: !!counts };
    if (!isFixing) return lost;
    if (counts !== undefined) await this.#recalls.bringBack(counts, copies.folder);
    if (lost.observations > 0) {
      await this.#locked((change) => {
        this.#files.append(copies.lost(), change);
        this.#tryFlush(change);
      });
    }
    return lost;
  }

  /**
   * Repairs what merges left in the issue files: lines twice, missing commas, conflict markers.
   * Nothing that was observed on either side is lost.
   *
   * @returns the issues of which a file was rewritten; one that cannot be read is left as it is
   */
  async repair(): Promise<number[]> {
    return await this.#locked((change) => this.#files.repair(change));
  }

  /**
   * Moves the observations of issues that were renumbered, with the counts of their recalls.
   *
   * @param numbers the number of each issue, by its `uid`
   * @returns how many observations moved
   */
  async renumber(numbers: ReadonlyMap<string, number>): Promise<number> {
    const { renumber } = await import("./renumber.ts");
    const copies = await this.#secondGeneration();
    const ids = await this.#locked((change) => {
      this.#flush(change);
      const ids = renumber(this.#files, numbers, change);
      if (ids.size > 0) copies.clear();
      return ids;
    });
    if (ids.size === 0) return 0;
    await this.#derived.rebuild();
    await this.#recalls.rename(ids);
    return ids.size;
  }

  /** Flushes the journal, if that is possible; the store can still be used. */
  async close(): Promise<void> {
    if (this.#files.journal.isEmpty()) return;
    try {
      await this.#locked((change) => this.#tryFlush(change));
      await this.#derived.catchUp();
    } catch (error) {
      this.#tellUnflushed(error);
    }
  }

  /** Edits the files of one issue, and has everything that is derived follow. */
  async #change<T>(
    issueNumber: number,
    edit: (edits: typeof import("./edits.ts"), change: StoreChange) => T,
  ): Promise<T> {
    const edits = await import("./edits.ts");
    const result = await this.#locked((change) => {
      this.#flush(change);
      const baseline = this.#files.issues.versions();
      const before = this.#files.issues.read(issueNumber).observations;
      const result = edit(edits, change);
      try {
        const difference = differenceOf(before, this.#files.issues.read(issueNumber).observations);
        const issues = new Set([issueNumber]);
        const isInStep = this.#derived.apply(difference, issues, baseline, change);
        if (isInStep && this.#forgetting.isPending()) this.#forgetting.end();
      } catch (error) {
        this.#derived.tellLate(error);
      }
      return result;
    });
    // What would have held up other writers is made up for when the lock is free again.
    await this.#derived.catchUp();
    return result;
  }

  /** Ends what a process that died had begun to forget; a reader waits for it, and shows none of it. */
  async #settle(): Promise<void> {
    if (this.#forgetting.isPending()) await this.#locked(() => {});
  }

  /** Forgets all of it again, wherever the process died: what is done already is done once more. */
  async #forget(change: StoreChange): Promise<void> {
    const id = this.#forgetting.read();
    if (id !== undefined) {
      const { remove } = await import("./edits.ts");
      const copies = await this.#secondGeneration();
      this.#flush(change);
      copies.forget(id, change);
      remove(this.#files, id, change);
      this.#derived.drop(parseObservationId(id).issueNumber, change);
      this.#onRemoved();
    }
    this.#forgetting.end();
  }

  /** What moves is in the issue files and in the index before it leaves the journal. */
  #flush(change: StoreChange): void {
    if (this.#files.journal.isEmpty()) return;
    const baseline = this.#files.issues.versions();
    const { moved, held } = this.#files.flush(change);
    const difference = differenceOf([], this.#derived.unknownOf(moved));
    const touched = new Set(moved.map(({ issueNumber }) => issueNumber));
    this.#derived.apply(difference, touched, baseline, change);
    this.#files.journal.keep(held, change);
  }

  /** What is in the journal is safe: it can be flushed later. */
  #tryFlush(change: StoreChange): void {
    try {
      this.#flush(change);
    } catch (error) {
      this.#tellUnflushed(error);
    }
  }

  #tellUnflushed(error: unknown): void {
    tellHindered("Observations remain in the journal", error, this.#tell);
  }

  /** Only what stores or forgets something needs it. */
  async #secondGeneration(): Promise<SecondGeneration> {
    const { SecondGeneration } = await import("./second_generation.ts");
    return new SecondGeneration(this.#files.journal, this.#recallsPath);
  }

  /** Everything that is written is written in here. */
  async #locked<T>(action: (change: StoreChange) => T): Promise<T> {
    const { path } = this.#files.journal;
    sys.makeDir(this.#folder);
    await loadRules(); // the index notes what redaction leaves as it is
    return await this.#locks.exclusive(path, AGENT, async (lock) => {
      this.#derived.guard();
      const change = storeChange(lock, path, timestamp());
      if (this.#forgetting.isPending()) await this.#forget(change);
      return action(change);
    });
  }
}

function timestamp(): string {
  return new Date(sys.now()).toISOString();
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const name of sys.readDir(folder)) {
    const info = sys.lstat(`${folder}/${name}`);
    bytes += info?.kind === "directory" ? bytesBelow(`${folder}/${name}`) : info?.size ?? 0;
  }
  return bytes;
}
