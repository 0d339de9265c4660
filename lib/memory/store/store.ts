/**
 * The observations of a workspace on disk (SPEC-AgentX sections 2.5, 3.1 and 4).
 *
 * What `store()` acknowledged is on the disk once, whatever is killed when: it is appended to a
 * journal, and later folded into the issue files. Readers take no lock.
 *
 * There is one lock, that of the journal, under which everything in the folder is written. No other
 * lock is taken while it is held; the counts of recalls have a lock of their own.
 *
 * @module
 */

import { checkIssueNumber } from "../../clarify/schema.ts";
import { type AgentxError, hasCode } from "../../errors.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import {
  byTime,
  checkObservations,
  checkReason,
  type Observation,
  type ObservationIndex,
  parseObservationId,
} from "../schema.ts";
import { matcherOf, type SearchFilters } from "../search/filters.ts";
import { listObservations } from "../search/listing.ts";
import { type ObservationHit, searchObservations } from "../search/search.ts";
import { Catalogue, differenceOf } from "./derived_index.ts";
import { bytesBelow } from "./disk_usage.ts";
import type { ManifestState } from "./manifest.ts";
import {
  type ChangeContext,
  type Exchange,
  observationCompacted,
  observationNotFound,
  ObservationRecords,
  type RecordExamination,
  type RecordScan,
} from "./observation_files.ts";
import { RecallCounts } from "./recalls.ts";
import { type StoreStats, summariseStore } from "./stats.ts";

/** Options of {@linkcode JsonObservationStore}. */
export interface ObservationStoreOptions {
  /** `.agentx/state/memory-recalls.json`. */
  recallsPath: string;
  /**
   * Is told what was skipped or rebuilt, each once.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
  /**
   * Wall clock, milliseconds since the epoch.
   *
   * @default {Date.now}
   */
  now?: () => number;
}

/** So many observations wait in the journal before they are folded into the issue files. */
const JOURNAL_SIZE = 64;

const DEFAULT_LIMIT = 20;

const AGENT = "memory";

/** Owner of the files under `.agentx/memory/`. */
export class JsonObservationStore {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #records: ObservationRecords;
  readonly #recalls: RecallCounts;
  readonly #notify: (message: string) => void;
  readonly #now: () => number;
  readonly #catalogue: Catalogue;
  readonly #told = new Set<string>();

  /**
   * Names the folder, which need not exist; nothing is opened yet.
   *
   * @param folder `.agentx/memory`
   * @param locks the locks of this process
   * @param options where recalls are counted, who is told, and the clock
   */
  constructor(folder: string, locks: FileLockManager, options: ObservationStoreOptions) {
    const { recallsPath, notify = () => {}, now = Date.now } = options;
    this.#folder = folder;
    this.#locks = locks;
    this.#records = new ObservationRecords(folder);
    this.#catalogue = new Catalogue(folder, this.#records, {
      change: (change) => this.#change(change),
      tell: (message) => this.#tell(message),
      now,
    });
    this.#recalls = new RecallCounts(recallsPath, locks);
    this.#notify = notify;
    this.#now = now;
  }

  /**
   * Stores those that are new: an observation whose id is there already, or whose words are there
   * already in its session, is stored once, and one that was removed is not stored again.
   *
   * @param observations at most 50; ids as `makeObservationId()` makes them
   * @returns those that were new; they are on the disk, in the journal while the file of their issue
   *   is damaged
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`; `CORRUPT_STATE` if the file of
   *   an issue is somebody else's, `NEWER_STATE`; nothing of it is stored then
   */
  async store(observations: readonly Observation[]): Promise<Observation[]> {
    if (checkObservations(observations).length === 0) return [];
    return await this.#change((context) => {
      const { observations: waiting } = this.#records.journal.read();
      const { fresh, problems } = this.#records.append(observations, waiting, context);
      problems.forEach((problem) => this.#tell(problem));
      if (waiting.length + fresh.length >= JOURNAL_SIZE) this.#foldQuietly(context);
      return fresh;
    });
  }

  /**
   * Reads an issue.
   *
   * @param issueNumber from 1
   * @returns all observations of an issue in the order of their arrival, also retracted ones
   * @throws {AgentxError} `INVALID_INPUT`, `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  // deno-lint-ignore require-await -- the specification's signature: failures are rejections
  async getByIssue(issueNumber: number): Promise<Observation[]> {
    return this.#heard(this.#records.readIssue(checkIssueNumber(issueNumber)));
  }

  /**
   * Reads one observation.
   *
   * @param id of an observation, also of one that was compacted
   * @returns the whole observation as it is on disk; null if there is none
   * @throws {AgentxError} `INVALID_INPUT`, `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async getById(id: string): Promise<Observation | null> {
    const { issueNumber } = parseObservationId(id);
    const found = (await this.getByIssue(issueNumber)).find((each) => each.id === id);
    return found ?? this.#records.findArchived(issueNumber, id) ?? null;
  }

  /**
   * The session that an observation comes from.
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

  /**
   * Ranked full-text search over the contents. Words are found in any inflection. With the signs of
   * lunr's syntax, a query says more: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`; the
   * fields are content, agent, category and issue.
   *
   * @param query words, or words with signs
   * @param limit most hits
   * @returns the hits, the best first; none if nothing fits
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async search(query: string, limit: number = DEFAULT_LIMIT): Promise<ObservationHit[]> {
    return await this.#catalogue.look((view) => searchObservations(query, view, limit));
  }

  /**
   * Lists an agent's observations.
   *
   * @param agent with all its workers; or one worker, `engineer@2`
   * @returns what it observed, the newest first
   */
  async listByAgent(agent: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ agent });
  }

  /**
   * Lists the observations of a category.
   *
   * @param category one of `CATEGORIES`
   * @returns the observations of that category, the newest first
   */
  async listByCategory(category: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ category });
  }

  /**
   * Lists what fits some filters.
   *
   * @param filters what to look for
   * @returns the observations that fit all of it, the newest first
   * @throws {AgentxError} `INVALID_INPUT` for a time that is none
   */
  async searchByFilters(filters: SearchFilters): Promise<ObservationIndex[]> {
    const matches = matcherOf(filters);
    return await this.#catalogue.look((view) => listObservations(matches, view));
  }

  /**
   * Removes an observation for good; it is not captured again from the same session. If it was
   * compacted, the summaries that stand for it do not tell it any more.
   *
   * @param id of the observation
   * @returns false if it was not there
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async remove(id: string): Promise<boolean> {
    const { issueNumber } = parseObservationId(id);
    return await this.#changeAndFollow((context) => {
      this.#fold(context);
      const footing = this.#catalogue.footing();
      const read = () => this.#records.readIssue(issueNumber).observations;
      const before = read();
      const isRemoved = this.#records.remove(issueNumber, id, context);
      if (isRemoved) {
        this.#catalogue.amend(context, footing, issueNumber, differenceOf(before, read()));
      }
      return isRemoved;
    });
  }

  /**
   * Marks an observation as wrong: it is kept, and never found or recalled again.
   *
   * @param id of the observation
   * @param because why, 1 to 2,000 characters
   * @returns the observation as it is now
   * @throws {AgentxError} `NOT_FOUND`; `INVALID_INPUT`, also for one that was compacted;
   *   `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async retract(id: string, because: string): Promise<Observation> {
    const { issueNumber } = parseObservationId(id);
    const retracted = { because: checkReason(because), timestamp: this.#timestamp() };
    return await this.#changeAndFollow((context) => {
      let changed: Observation | undefined;
      this.#fold(context);
      const footing = this.#catalogue.footing();
      this.#records.change(issueNumber, (list) => {
        const index = list.findIndex((each) => each.id === id);
        if (index < 0) throw this.#refusalOf(id, issueNumber);
        changed = { ...list[index], retracted };
        return list.with(index, changed);
      }, context);
      this.#catalogue.amend(context, footing, issueNumber, { retracted: [id] });
      return changed as Observation;
    });
  }

  /**
   * Puts some observations in the place of others in one step; the others go to the archive.
   *
   * @param issueNumber the issue of all of them
   * @param exchange the ids of those that go, and those that come
   * @throws {AgentxError} `NOT_FOUND` for an id that is not there, and nothing is changed;
   *   `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async replace(issueNumber: number, exchange: Exchange): Promise<void> {
    checkIssueNumber(issueNumber);
    for (const { id, issueNumber: other } of checkObservations(exchange.add)) {
      if (other !== issueNumber) throw observationNotFound(id);
    }
    await this.#changeAndFollow((context) => {
      this.#fold(context);
      const footing = this.#catalogue.footing();
      this.#records.exchange(issueNumber, exchange, context);
      const { add: added, remove: removed } = exchange;
      this.#catalogue.amend(context, footing, issueNumber, { added, removed });
    });
  }

  /**
   * Takes back what {@linkcode JsonObservationStore.replace} did to an issue.
   *
   * @param issueNumber from 1
   * @returns the observations that came back from the archive
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async restore(issueNumber: number): Promise<Observation[]> {
    checkIssueNumber(issueNumber);
    const idsOf = (list: readonly Observation[]) => new Set(list.map(({ id }) => id));
    return await this.#changeAndFollow((context) => {
      this.#fold(context);
      const footing = this.#catalogue.footing();
      const before = idsOf(this.#records.readIssue(issueNumber).observations);
      const restored = this.#records.restore(issueNumber, context);
      const after = idsOf(this.#records.readIssue(issueNumber).observations);
      const added = restored.filter(({ id }) => !before.has(id));
      const retracted = added.filter((each) => each.retracted !== undefined).map(({ id }) => id);
      const removed = [...before].filter((id) => !after.has(id));
      this.#catalogue.amend(context, footing, issueNumber, { added, removed, retracted });
      return restored;
    });
  }

  /**
   * Reads how often observations were recalled.
   *
   * @returns times recalled by id, on this machine
   * @throws {AgentxError} `CORRUPT_STATE`
   */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async recallCounts(): Promise<Map<string, number>> {
    return this.#recalls.read();
  }

  /**
   * Counts one more recall of each.
   *
   * @param ids of the observations
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async incrementRecallCount(ids: readonly string[]): Promise<void> {
    await this.#recalls.increment(ids);
  }

  /**
   * Reads everything.
   *
   * @returns all observations, also retracted ones, by issue and in the order of their arrival
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async listAll(): Promise<Observation[]> {
    return this.#heard(this.#records.readAll());
  }

  /**
   * Measures what memory takes on the disk.
   *
   * @returns bytes of the whole folder, with archive and index
   */
  bytes(): number {
    return bytesBelow(this.#folder);
  }

  /**
   * Sums up.
   *
   * @returns sums over all observations, also retracted ones
   */
  async getStats(): Promise<StoreStats> {
    const measure = { bytes: this.bytes(), nowMs: this.#now() };
    return summariseStore(await this.listAll(), measure);
  }

  /**
   * Makes everything anew that is derived from the observations.
   *
   * @returns how many observations there are
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`, `NEWER_STATE`
   */
  async rebuild(): Promise<number> {
    await this.#change((context) => this.#fold(context));
    return await this.#catalogue.rebuild();
  }

  /**
   * Looks at every file that holds observations, and at the manifest.
   *
   * @returns how many issues have one, what is wrong with any, and what the manifest is like
   * @throws {AgentxError} `IO_ERROR`; `NEWER_STATE` for the manifest
   */
  examine(): RecordExamination & { manifest: ManifestState } {
    return { ...this.#records.examine(), manifest: this.#catalogue.manifestState() };
  }

  /**
   * Clears up what merges left in the issue files: lines twice, missing commas, conflict markers.
   * Nothing that was observed on either side is lost.
   *
   * @returns the issues of which a file was rewritten; one that cannot be read is left as it is
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async repair(): Promise<number[]> {
    return await this.#change((context) => this.#records.repair(context));
  }

  /**
   * Moves what was observed of issues that have another number now, with the counts of its recalls.
   *
   * @param numbers the number of each issue, by its `uid`
   * @returns how many observations moved
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`, `CORRUPT_STATE`
   */
  async renumber(numbers: ReadonlyMap<string, number>): Promise<number> {
    const ids = await this.#change((context) => {
      this.#fold(context);
      return this.#records.renumber(numbers, context);
    });
    if (ids.size === 0) return 0;
    await this.#catalogue.rebuild();
    await this.#recalls.rename(ids);
    return ids.size;
  }

  /** Folds the journal, if that is possible; the store can be used on. */
  async close(): Promise<void> {
    if (this.#records.journal.read().observations.length === 0) return;
    try {
      await this.#changeAndFollow((context) => this.#foldQuietly(context));
    } catch (error) {
      this.#tellUnfolded(error);
    }
  }

  /** What would hold up other writers is made up for when the lock is free again. */
  async #changeAndFollow<T>(change: (context: ChangeContext) => T): Promise<T> {
    const result = await this.#change(change);
    await this.#catalogue.catchUp();
    return result;
  }

  /** Everything that is written is written in here. */
  async #change<T>(change: (context: ChangeContext) => T): Promise<T> {
    sys.makeDir(this.#folder);
    return await this.#locks.exclusive(this.#records.journal.path, AGENT, (lock) => {
      this.#catalogue.guard();
      return change({ lock, updatedAt: this.#timestamp() });
    });
  }

  /** Why an observation that is not in its issue file cannot be changed. */
  #refusalOf(id: string, issueNumber: number): AgentxError {
    const isArchived = this.#records.findArchived(issueNumber, id) !== undefined;
    return isArchived ? observationCompacted(id) : observationNotFound(id);
  }

  #fold(context: ChangeContext): void {
    const footing = this.#catalogue.footing();
    const problems = this.#records.fold(context, (moved) => {
      this.#catalogue.add(context, footing, moved);
    });
    problems.forEach((problem) => this.#tell(problem));
  }

  /** What is in the journal is safe: to fold it can wait. */
  #foldQuietly(context: ChangeContext): void {
    try {
      this.#fold(context);
    } catch (error) {
      this.#tellUnfolded(error);
    }
  }

  #tellUnfolded(error: unknown): void {
    if (!hasCode(error, "IO_ERROR") && !hasCode(error, "LOCK_TIMEOUT")) throw error;
    this.#tell(`Memory stays in its journal: ${error.message.replace("\n", ". ")}`);
  }

  #heard({ observations, problems }: RecordScan): Observation[] {
    problems.forEach((problem) => this.#tell(problem));
    return observations;
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#notify(message);
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString();
  }
}
