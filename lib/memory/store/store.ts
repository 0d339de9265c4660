// The observations of a workspace on disk (SPEC-AgentX sections 2.5, 3.1 and 4).
//
// What `store()` acknowledged is on the disk once, whatever is killed when: it is a line of a file that
// no other branch writes, and of a copy (`lib/lines/`). What is asked is answered by an index that is
// derived from the files (`index_files.ts`).
//
// All that is written is written under one lock, that of `index.current`; the counts of recalls have a
// lock of their own.

import type { JsonObject } from "../../base/checks.ts";
import { type AgentxError, orElse } from "../../base/errors.ts";
import { checkIssueNumber, checkText } from "../../base/input_checks.ts";
import { DAY_MS, isoTime } from "../../base/time.ts";
import type { Line } from "../../lines/line.ts";
import { LineStore } from "../../lines/line_store.ts";
import { commitFile } from "../../lock/commit.ts";
import type { FileLockManager, LockHandle } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { identityOf } from "../identity.ts";
import { hash53 } from "../../base/hash.ts";
import {
  byTime,
  checkCapture,
  indexOf,
  MAX_CONTENT,
  type Observation,
  type ObservationIndex,
  observationNotFound,
  parseObservationId,
  PROJECT,
} from "../schema.ts";
import { matcherOf, type SearchFilters } from "../index/filters.ts";
import { findObservations, type FoundObservation, type ObservationHit } from "../search/search.ts";
import { termsOf } from "../index/tokens.ts";
import { IndexFiles } from "./index_files.ts";
import type { MemoryIndex } from "../index/memory_index.ts";
import { changeOf, lineOf, type MemoryChange, readMemoryLine } from "../memory_line.ts";
import { encodeIssueFile, parseIssueFile } from "./issue_file.ts";
import { RecallCounts } from "./recalls.ts";
import { issueOfSource, Sources } from "./sources.ts";
import { tombstoneOf, Tombstones } from "./tombstones.ts";
import { type StoreStats, summariseStore } from "./stats.ts";

/** Options of {@linkcode JsonObservationStore}. */
export interface ObservationStoreOptions {
  /** `.agentx/state/memory-recalls.json`; the index and the copy of what was written are beside it. */
  recallsPath: string;
  /**
   * Called once for each thing that was skipped.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** What compaction did to the old observations of an issue. */
export interface Compaction {
  /** From 1. */
  issueNumber: number;
  /** Observations of the issue before. */
  before: number;
  /** Observations of the issue after. */
  after: number;
  /** Ids of those that went to the archive. */
  removed: readonly string[];
}

/** What files say of themselves. */
export interface StoreExamination {
  /** How many issues have an observation. */
  issues: number;
  /** One for each file or line that was left out, or was read around a conflict. */
  failures: AgentxError[];
  /** Lines that were written here, and that no file here has. */
  missing: number;
}

/** What a recall chooses from: only what may be shown. */
export interface RecallCandidates {
  /** Of the issue, in the order of their arrival; of very many, the newest. */
  own: Observation[];
  /** Of any issue: what a search for each topic found, with its score. */
  hits: FoundObservation[];
  /** Terms of the topics that few observations have. */
  rare: ReadonlySet<string>;
}

const DEFAULT_LIMIT = 20;

/** Among fewer, nothing is common. */
const FEW = 10;

/** Observations of one issue that a recall chooses from: ten times as many as it has room for. */
const MAX_OWN = 2_000;

/** Younger observations are not archived (SPEC-AgentX section 9.4). */
const OLD_DAYS = 90;

const AGENT = "memory";
const COUNT = { by: AGENT };

/**
 * Owner of the files under `.agentx/memory/`. Its methods reject with an {@linkcode AgentxError}:
 * `IO_ERROR`; `NEWER_STATE` and `CORRUPT_STATE` for files that cannot be used; those that write
 * also `LOCK_TIMEOUT`.
 */
export class JsonObservationStore {
  readonly #folder: string;
  readonly #state: string;
  readonly #locks: FileLockManager;
  readonly #lines: LineStore;
  readonly #sources: Sources;
  readonly #index: IndexFiles;
  readonly #recalls: RecallCounts;

  /**
   * Names the folder, which need not exist; nothing is opened yet.
   *
   * @param folder `.agentx/memory`
   */
  constructor(folder: string, locks: FileLockManager, options: ObservationStoreOptions) {
    const { recallsPath, notify = () => {} } = options;
    const told = new Set<string>();
    const tell = (message: string) => {
      if (!told.has(message)) notify(message);
      told.add(message);
    };
    this.#folder = folder;
    this.#state = recallsPath.slice(0, recallsPath.lastIndexOf("/"));
    this.#locks = locks;
    const state = `${this.#state}/lines`;
    this.#lines = new LineStore({ kind: "memory", folder, state, locks, notify: tell });
    this.#sources = new Sources(folder, state);
    this.#index = new IndexFiles(this.#state, this.#sources, { locks, tell });
    this.#recalls = new RecallCounts(recallsPath, locks);
  }

  /**
   * Stores those that are new. An observation whose id is already there, or whose words already are in
   * the same session, is not stored twice; one that was removed is not stored again.
   *
   * @param observations at most 50; ids as `makeObservationId()` makes them
   * @throws {AgentxError} `INVALID_INPUT`; nothing of it is stored then
   */
  async store(observations: readonly Observation[]): Promise<Observation[]> {
    checkCapture(observations);
    if (observations.length === 0) return [];
    return await this.#change((index) => {
      const tombstones = tombstonesIn(index);
      const known = new Set<string | number>();
      const fresh = observations.filter((each) => {
        const identity = hash53(identityOf(each));
        const isNew = !known.has(each.id) && !known.has(identity) &&
          !index.isKnown(each.id, identity) && tombstones.cleaned(each) !== undefined;
        known.add(each.id).add(identity);
        return isNew;
      });
      return { lines: fresh.map((each) => lineOf(each)), result: fresh };
    });
  }

  /**
   * Reads an issue.
   *
   * @param issueNumber from 1
   * @returns all its observations in the order of their arrival, also retracted ones
   */
  async getByIssue(issueNumber: number): Promise<Observation[]> {
    checkObserved(issueNumber);
    return await this.#look((index) => index.inPlace(issueNumber));
  }

  /**
   * Reads what a recall chooses from, whole and at one moment.
   *
   * @param issueNumber from 1
   * @param limit most hits of each topic
   * @returns the observations of the issue, or of the project if there are no topics, and the hits
   */
  async candidates(
    issueNumber: number,
    topics: readonly string[],
    limit: number,
  ): Promise<RecallCandidates> {
    const isAsked = checkObserved(issueNumber) === PROJECT && topics.length > 0;
    return await this.#look(async (index) => {
      const hits: FoundObservation[] = [];
      for (const topic of topics) hits.push(...await findObservations(topic, index, { limit }));
      const terms = new Set(topics.flatMap((topic) => termsOf(topic)));
      const most = Math.sqrt(index.totals().count + FEW);
      return {
        own: isAsked ? [] : index.newest(issueNumber, MAX_OWN),
        hits: hits.filter(({ isWeak }) => !isWeak),
        rare: new Set([...terms].filter((term) => index.frequencyOf(term) <= most)),
      };
    });
  }

  /**
   * Reads one observation.
   *
   * @param id of an observation, also of one that was compacted
   * @returns the whole observation; null if there is none
   */
  async getById(id: string): Promise<Observation | null> {
    parseObservationId(id);
    return await this.#look((index) => index.get(id) ?? null);
  }

  /**
   * Finds ids by a part of them.
   *
   * @param text the beginning of an id, or what comes after its last dash
   * @returns the ids that fit, also of what is archived
   */
  async findIds(text: string): Promise<string[]> {
    return await this.#look((index) => index.ids(text));
  }

  /**
   * Reads the session that an observation comes from.
   *
   * @returns the observations of its session about the same issue, also archived ones, by time; it is
   *   one of them
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`
   */
  async getSession(id: string): Promise<Observation[]> {
    const { issueNumber } = parseObservationId(id);
    return await this.#look((index) => {
      const sessionId = index.get(id)?.sessionId;
      if (sessionId === undefined) throw observationNotFound(id);
      return [...index.inPlace(issueNumber), ...index.archived(issueNumber)]
        .filter((each) => each.sessionId === sessionId).sort(byTime);
    });
  }

  /**
   * Ranked full-text search over the contents. Words are found in any inflection. A query may
   * use the signs of lunr's syntax: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`; the
   * fields are content, agent, category and issue.
   *
   * @param query words, or words with signs
   * @param limit most hits; 20 if left out
   * @param filters which observations are looked for; all if left out
   * @returns the hits, the best first; none if nothing matches
   * @throws {AgentxError} `INVALID_INPUT` for an invalid time
   */
  async search(
    query: string,
    limit: number = DEFAULT_LIMIT,
    filters?: SearchFilters,
  ): Promise<ObservationHit[]> {
    if (filters !== undefined) matcherOf(filters);
    const found = await this.#look((index) => findObservations(query, index, { limit, filters }));
    return found.map(({ observation, ...rest }) => ({ ...indexOf(observation), ...rest }));
  }

  /**
   * Lists what matches some filters.
   *
   * @returns the observations that match all of them, the newest first
   * @throws {AgentxError} `INVALID_INPUT` for an invalid time
   */
  async searchByFilters(filters: SearchFilters, limit = Infinity): Promise<ObservationIndex[]> {
    matcherOf(filters);
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    return (await this.#look((index) => index.list(filters, most))).map(indexOf);
  }

  /** Lists the observations of an agent and of its workers, the newest first. */
  async listByAgent(agent: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ agent });
  }

  /** Lists the observations of a category, the newest first. */
  async listByCategory(category: string): Promise<ObservationIndex[]> {
    return await this.searchByFilters({ category });
  }

  /**
   * Removes an observation for good; it is not captured again from the same session. If it was
   * compacted, the summaries that stand for it no longer mention it.
   *
   * @returns false if it was not there
   */
  async remove(id: string): Promise<boolean> {
    parseObservationId(id);
    return await this.#locked(async (lock) => {
      const index = await this.#index.lookLocked(lock);
      const gone = index.get(id);
      if (gone === undefined) return false;
      const salt = index.forgotten().flatMap((change) => change.op === "forget" ? change.salt : [])
        .find((salt) => salt !== "");
      const time = isoTime(sys.now());
      await this.#append([], { erasing: true });
      await this.#append([changeOf(id, tombstoneOf(gone, salt), { ...COUNT, time })]);
      await this.#erase(lock);
      return true;
    });
  }

  /**
   * Marks an observation as wrong: it is kept, and is never found or recalled again.
   *
   * @param because why, 1 to 2,000 characters
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`
   */
  async retract(id: string, because: string): Promise<Observation> {
    return await this.#changeOne(id, {
      op: "retract",
      because: checkText("because", because, MAX_CONTENT),
    });
  }

  /**
   * Replaces what an observation names in the working tree.
   *
   * @param place what it names now; without anchors, nothing
   * @throws {AgentxError} `NOT_FOUND`, also for one that was compacted
   */
  async reanchor(
    id: string,
    { anchors, commit }: Pick<Observation, "anchors" | "commit">,
  ): Promise<Observation> {
    const isAnchored = anchors !== undefined;
    const place = { anchors: anchors ?? null, commit: isAnchored ? commit ?? null : null };
    return await this.#changeOne(id, { op: "anchor", ...place });
  }

  /**
   * Archives the old observations of an issue that no recall needed lately: they are found after all
   * others, and not recalled. {@linkcode JsonObservationStore.restore} takes it back.
   *
   * @param issueNumber from 1
   * @param isDryRun true to change nothing, and only report what would be done
   */
  async compact(
    issueNumber: number,
    { isDryRun = false }: { isDryRun?: boolean } = {},
  ): Promise<Compaction> {
    checkObserved(issueNumber);
    const before = sys.now() - OLD_DAYS * DAY_MS;
    const recalledMs = this.#recalls.times();
    const all = await this.getByIssue(issueNumber);
    const isOld = ({ id, timestamp, retracted }: Observation) =>
      retracted === undefined && Date.parse(timestamp) < before &&
      (recalledMs.get(id) ?? 0) < before;
    const staying = new Set(all.filter((each) => !isOld(each)).map(({ id }) => id));
    // Without the correction, what it corrects would be recalled again.
    const removed = all.filter(({ id, supersedes = "" }) =>
      !staying.has(id) && !staying.has(supersedes)
    )
      .map(({ id }) => id);
    if (!isDryRun && removed.length > 0) {
      const time = isoTime(sys.now());
      const lines = removed.map((id) => changeOf(id, { op: "archive" }, { ...COUNT, time }));
      await this.#change(() => ({ lines, result: undefined }));
    }
    return { issueNumber, before: all.length, after: all.length - removed.length, removed };
  }

  /**
   * Brings back what was archived of an issue.
   *
   * @param issueNumber from 1
   */
  async restore(issueNumber: number): Promise<Observation[]> {
    checkObserved(issueNumber);
    return await this.#change((index) => {
      const archived = index.archived(issueNumber);
      const time = isoTime(sys.now());
      const lines = archived.map(({ id }) => changeOf(id, { op: "restore" }, { ...COUNT, time }));
      return { lines, result: archived };
    });
  }

  /** Times recalled by id, on this machine. */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async recallCounts(): Promise<Map<string, number>> {
    return this.#recalls.read();
  }

  /** Counts one more recall of each of these ids. */
  async incrementRecallCount(ids: readonly string[]): Promise<void> {
    await this.#recalls.increment(ids);
  }

  /**
   * Reads all observations.
   *
   * @returns all of them, also retracted ones, by issue and in the order of their arrival
   */
  async listAll(): Promise<Observation[]> {
    return await this.#look((index) => index.inPlace());
  }

  /**
   * Reads all observations issue by issue: together they may be more than fits into memory.
   *
   * @returns those of one issue after the other, as {@linkcode JsonObservationStore.listAll}
   */
  async *scan(): AsyncGenerator<Observation[]> {
    for (const issueNumber of await this.#look((index) => index.issues())) {
      yield await this.getByIssue(issueNumber);
    }
  }

  /** Bytes of the whole folder, with archive and index. */
  get bytes(): number {
    return bytesBelow(this.#folder) + this.#index.bytes();
  }

  /** Sums over all observations, also retracted ones. */
  async getStats(): Promise<StoreStats> {
    return summariseStore(await this.listAll(), { bytes: this.bytes, nowMs: sys.now() });
  }

  /** Makes the index anew. */
  async rebuild(): Promise<number> {
    await this.#settle();
    await this.#index.rebuild();
    let count = 0;
    for await (const ofIssue of this.scan()) count += ofIssue.length;
    return count;
  }

  /**
   * Looks at every file that holds observations.
   *
   * @returns how many issues have any, what is wrong, and how many lines are in the copy alone
   * @throws {AgentxError} `IO_ERROR`, `NEWER_STATE`
   */
  async examine(): Promise<StoreExamination> {
    const parts = this.#sources.list().flatMap((source) =>
      Array.from(this.#sources.read(source), ({ failures }) => failures)
    );
    const issues = (await this.#look((index) => index.issues())).length;
    return { issues, failures: parts.flat(), missing: this.#lines.missing().length };
  }

  /**
   * Writes again what was written here and is in no file here; takes out of the files what was
   * forgotten on another branch, and lines that were cut.
   */
  async repair(): Promise<{ restored: number; setAside: number }> {
    const setAside = await this.#lines.setAside(AGENT);
    const restored = await this.#lines.restore(AGENT);
    await this.#locked((lock) => this.#erase(lock));
    return { restored, setAside };
  }

  /**
   * Moves the observations of issues that were renumbered, with the counts of their recalls.
   *
   * @param numbers the number of each issue, by its `uid`
   */
  async renumber(numbers: ReadonlyMap<string, number>): Promise<number> {
    const ids = await this.#change((index) => {
      const { lines, ids } = movesOf(index, numbers);
      return { lines, result: ids };
    });
    if (ids.size > 0) await this.#recalls.rename(ids);
    return ids.size;
  }

  /** Closes the index; the store can still be used. */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async close(): Promise<void> {
    this.#index.close();
  }

  async #changeOne(id: string, change: MemoryChange): Promise<Observation> {
    parseObservationId(id);
    return await this.#locked(async (lock) => {
      if ((await this.#index.lookLocked(lock)).get(id) === undefined) throw observationNotFound(id);
      await this.#append([changeOf(id, change, { ...COUNT, time: isoTime(sys.now()) })]);
      const changed = (await this.#index.lookLocked(lock)).get(id);
      if (changed === undefined) throw observationNotFound(id);
      return changed;
    });
  }

  /** Adds what follows from what is there. */
  async #change<T>(make: (index: MemoryIndex) => { lines: Line[]; result: T }): Promise<T> {
    return await this.#locked(async (lock) => {
      const { lines, result } = make(await this.#index.lookLocked(lock));
      if (lines.length === 0) return result;
      await this.#append(lines);
      await this.#index.lookLocked(lock); // who asks next does not wait for it
      return result;
    });
  }

  async #append(lines: Line[], notes?: JsonObject): Promise<void> {
    sys.makeDir(this.#folder);
    await this.#lines.append(AGENT, lines, notes);
  }

  async #look<T>(ask: (index: MemoryIndex) => T | Promise<T>): Promise<T> {
    await this.#settle();
    return await this.#index.look(ask);
  }

  /** Ends what a process that died had begun to forget; a reader waits for it, and shows none of it. */
  async #settle(): Promise<void> {
    if (this.#lines.notes().erasing === true) await this.#locked(() => {});
  }

  /** Takes out of all files what is forgotten; done once more, it changes nothing. */
  async #erase(lock: LockHandle): Promise<void> {
    const index = await this.#index.lookLocked(lock);
    const tombstones = tombstonesIn(index);
    const forgotten = new Set(index.forgotten().map(({ uid }) => uid));
    await this.#lines.erase(AGENT, (line) => {
      if (line.op !== "note") {
        return line.op !== "forget" && forgotten.has(line.uid) ? undefined : line;
      }
      const entry = readMemoryLine(line);
      if (typeof entry === "string" || !("observation" in entry)) return line;
      const left = tombstones.cleaned(entry.observation, entry.from);
      if (left === entry.observation) return line;
      return left && { ...lineOf(left, entry.from), id: line.id };
    });
    this.#eraseDocuments(tombstones, lock);
    await this.#index.lookLocked(lock);
    this.#index.removeDrafts();
    await this.#lines.append(AGENT, [], {});
  }

  /** Takes out of the files of the documents what is forgotten. */
  #eraseDocuments(tombstones: Tombstones, lock: LockHandle): void {
    for (const { path, kind } of this.#sources.list()) {
      if (kind !== "issue" && kind !== "archive") continue;
      const text = sys.readTextFile(path) ?? "";
      const file = orElse(undefined, () => parseIssueFile(text, path, issueOfSource(path)));
      if (file === undefined) continue; // nothing of it is shown; it is named where it is read
      const observations = file.observations.filter((each) =>
        tombstones.cleaned(each) !== undefined
      );
      if (observations.length === file.observations.length) continue;
      const changed = encodeIssueFile({ ...file, observations });
      commitFile(lock, path, changed, { fsync: true, lockedPath: this.#index.path });
    }
  }

  /** Everything that is written is written in here. */
  async #locked<T>(action: (lock: LockHandle) => T | Promise<T>): Promise<T> {
    const { path } = this.#index;
    sys.makeDir(this.#state);
    return await this.#locks.withSafeLock(path, AGENT, async (lock) => {
      if (this.#lines.notes().erasing === true) await this.#erase(lock);
      return await action(lock);
    });
  }
}

/** A store that a `MemoryPipeline` can work on (SPEC-AgentX section 2.5). */
export type IObservationStore = Pick<
  JsonObservationStore,
  | "store"
  | "getByIssue"
  | "listAll"
  | "candidates"
  | "getById"
  | "search"
  | "searchByFilters"
  | "reanchor"
  | "remove"
  | "getStats"
  | "recallCounts"
  | "incrementRecallCount"
  | "close"
>;

/** What an index says is forgotten. */
function tombstonesIn(index: MemoryIndex): Tombstones {
  const tombstones = new Tombstones();
  for (const change of index.forgotten()) if (change.op === "forget") tombstones.add(change);
  return tombstones;
}

/** The lines by which observations follow their issues to new numbers, and the new ids by the old. */
function movesOf(
  index: MemoryIndex,
  numbers: ReadonlyMap<string, number>,
): { lines: Line[]; ids: Map<string, string> } {
  const all = [...index.inPlace(), ...index.issues().flatMap((issue) => index.archived(issue))];
  const moving = all.filter(({ issueUid = "", issueNumber }) =>
    (numbers.get(issueUid) ?? issueNumber) !== issueNumber
  );
  const ids = new Map(
    moving.map(({ id, issueUid }) => [id, renumberedId(id, numbers.get(issueUid!)!)]),
  );
  const now = (id: string) => ids.get(id) ?? id;
  const time = isoTime(sys.now());
  const lines = moving.flatMap((observation) => {
    const { id, supersedes, retracted: _, ...rest } = observation;
    const moved: Observation = {
      ...rest,
      id: now(id),
      issueNumber: numbers.get(observation.issueUid!)!,
      ...(supersedes === undefined ? {} : { supersedes: now(supersedes) }),
    };
    return [lineOf(moved, id), changeOf(id, { op: "moved", to: now(id) }, { ...COUNT, time })];
  });
  return { lines, ids };
}

/** The id that an observation has in an issue with another number: the same on every clone. */
export function renumberedId(id: string, issueNumber: number): string {
  const { agent, issueNumber: before } = parseObservationId(id);
  const start = `obs-${agent}-`;
  return `${start}${issueNumber}${id.slice(start.length + String(before).length)}`;
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const name of sys.readDir(folder)) {
    const info = sys.lstat(`${folder}/${name}`);
    bytes += info?.kind === "directory" ? bytesBelow(`${folder}/${name}`) : info?.size ?? 0;
  }
  return bytes;
}

/** The project, or an issue. */
function checkObserved(issueNumber: number): number {
  return issueNumber === PROJECT ? PROJECT : checkIssueNumber(issueNumber);
}
