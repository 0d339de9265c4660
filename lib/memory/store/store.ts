// The observations of a workspace on disk (SPEC-AgentX sections 2.5, 3.1 and 4).
//
// An observation that `store()` acknowledged survives any kill: it is a line in a file that no other branch writes, and
// in a copy (`lib/lines/`). An index derived from the files answers queries (`index_files.ts`).
//
// All writes are made under one lock, the lock of `index.current`. Only the counts of recalls have their own lock.

import type { JsonObject } from "../../base/checks.ts";
import { type AgentxError, orElse } from "../../base/errors.ts";
import { checkIssueNumber, checkText } from "../../base/input_checks.ts";
import { isoTime } from "../../base/time.ts";
import type { NoteChange } from "../../events/operations.ts";
import { idsByUid, type Line } from "../../lines/line.ts";
import { mayHold } from "../../lines/raw_text.ts";
import { LineStore } from "../../lines/line_store.ts";
import { commitFile } from "../../lock/commit.ts";
import type { FileLockManager, LockHandle } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { identityOf } from "../identity.ts";
import { hash53 } from "../../base/hash.ts";
import {
  byTimestamp,
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
import { findArchivable } from "./compaction.ts";
import { IndexFiles } from "./index_files.ts";
import type { MemoryIndex } from "../index/memory_index.ts";
import { bytesBelow } from "../alerts.ts";
import { changeOf, lineOf, type MemoryChange, readMemoryLine } from "../memory_line.ts";
import { encodeIssueFile, parseIssueFile } from "./issue_file.ts";
import { RecallCounts } from "./recalls.ts";
import { undoneIn } from "./fold.ts";
import { issueOfSource, Sources } from "./sources.ts";
import { tombstoneOf, Tombstones } from "./tombstones.ts";
import { type StoreStats, summariseStore } from "./stats.ts";

/** Options of {@linkcode JsonObservationStore}. */
export interface ObservationStoreOptions {
  /** `.agentx/state/memory-recalls.json`; the index and the copy of the lines are beside it. */
  recallsPath: string;
  /**
   * Called with each change before it is written.
   *
   * @internal
   *
   * @default {() => {}}
   */
  note?: NoteChange;
  /**
   * Called once for each thing that was skipped.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** The effect of compaction on the old observations of an issue. */
export interface Compaction {
  /** From 1. */
  issueNumber: number;
  /** Number of observations of the issue before the compaction. */
  before: number;
  /** Number of observations of the issue after the compaction. */
  after: number;
  /** Ids of the observations that went to the archive. */
  removed: readonly string[];
}

/** The findings of an examination. */
export interface StoreExamination {
  /** How many issues have an observation. */
  issues: number;
  /** One error for each file or line that was left out, and for each file with an unresolved merge conflict. */
  failures: AgentxError[];
  /** Number of lines that were written here, and are in no file here. */
  missing: number;
}

/** The candidates of a recall: only observations that may be shown. */
export interface RecallCandidates {
  /** The observations of the issue in the order of their arrival; if there are very many, the newest. */
  own: Observation[];
  /** The hits of a search for each topic, of any issue, with their scores. */
  hits: FoundObservation[];
  /** Terms of the topics that few observations have. */
  rare: ReadonlySet<string>;
}

const DEFAULT_LIMIT = 20;

/** Added to the number of observations: in a small store, no term is common. */
const FEW = 10;

/** Maximum observations of one issue that a recall chooses from: ten times as many as it has room for. */
const MAX_OWN = 2_000;

const AGENT = "memory";

/** For more observations than this, all lines are parsed. */
const MAX_PARSED = 50;
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
  readonly #note: NoteChange;

  /**
   * Stores the paths; nothing is opened yet, and the folder need not exist.
   *
   * @param folder `.agentx/memory`
   */
  constructor(folder: string, locks: FileLockManager, options: ObservationStoreOptions) {
    const { recallsPath, note = () => {}, notify = () => {} } = options;
    this.#note = note;
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
   * Stores the new observations. It skips an observation with a known id, one with the words of another one of the same
   * session, and one that was removed.
   *
   * @param observations at most 50; ids as `makeObservationId()` makes them
   * @throws {AgentxError} `INVALID_INPUT`; then none of them is stored
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
   * @returns its observations in the order of their arrival, also retracted ones, but no archived ones
   */
  async getByIssue(issueNumber: number): Promise<Observation[]> {
    checkObserved(issueNumber);
    return await this.#look((index) => index.inPlace(issueNumber));
  }

  /**
   * Reads the candidates of a recall, whole and at one moment.
   *
   * @param issueNumber from 1
   * @param limit maximum number of hits of each topic
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
   * Finds ids by their beginning or end.
   *
   * @param text the beginning of an id, or the part after its last dash
   * @returns the ids that fit, also of archived observations
   */
  async findIds(text: string): Promise<string[]> {
    return await this.#look((index) => index.ids(text));
  }

  /**
   * Reads the session that an observation comes from.
   *
   * @returns the observations of its session about the same issue, by time, with itself and archived ones
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`
   */
  async getSession(id: string): Promise<Observation[]> {
    const { issueNumber } = parseObservationId(id);
    return await this.#look((index) => {
      const sessionId = index.get(id)?.sessionId;
      if (sessionId === undefined) throw observationNotFound(id);
      return [...index.inPlace(issueNumber), ...index.archived(issueNumber)]
        .filter((each) => each.sessionId === sessionId).sort(byTimestamp);
    });
  }

  /**
   * Ranked full-text search over the contents. Words are found in any inflection. A query may
   * use the signs of lunr's syntax: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`; the
   * fields are content, agent, category and issue.
   *
   * @param query words, or words with signs
   * @param limit maximum number of hits; 20 if left out
   * @param filters which observations to search; all if left out
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
   * Lists the observations that match all filters.
   *
   * @returns their index entries, the newest first
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
   * compacted, the summaries that repeat it are removed, too.
   *
   * @returns false if there was no such observation
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
   * Replaces the places in the working tree that an observation names.
   *
   * @param place the new places; without anchors, none
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
   * Archives the old observations of an issue that no recall needed lately: they are found after all others, and not
   * recalled. {@linkcode JsonObservationStore.restore} undoes this.
   *
   * @param issueNumber from 1
   * @param isDryRun true to change nothing, and only report what would be done
   */
  async compact(
    issueNumber: number,
    { isDryRun = false }: { isDryRun?: boolean } = {},
  ): Promise<Compaction> {
    checkObserved(issueNumber);
    const all = await this.getByIssue(issueNumber);
    const removed = findArchivable(all, this.#recalls.times(), sys.now());
    if (!isDryRun && removed.length > 0) {
      const time = isoTime(sys.now());
      const lines = removed.map((id) => changeOf(id, { op: "archive" }, { ...COUNT, time }));
      await this.#change(() => ({ lines, result: undefined }));
    }
    return { issueNumber, before: all.length, after: all.length - removed.length, removed };
  }

  /**
   * Brings back the archived observations of an issue.
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

  /**
   * Undoes lines, as if they had not been written; forgotten text stays forgotten.
   *
   * @internal
   * @param lines the ids of the lines, by the observation that they are about; nothing is written if `builtUpon` finds
   *   later lines
   * @returns how many observations were changed
   */
  async takeBack(lines: Readonly<Record<string, string[]>>): Promise<number> {
    return await this.#locked(async (lock) => {
      const { held, rests } = this.#standing(lines);
      if (rests.length > 0) return 0;
      const time = isoTime(sys.now());
      const made = Object.entries(idsByUid(held)).map(([uid, undone]) =>
        changeOf(uid, { op: "undo", undone }, { ...COUNT, time })
      );
      if (made.length > 0) await this.#append(made);
      await this.#index.lookLocked(lock);
      return made.length;
    });
  }

  /**
   * Finds later lines that rest on the given lines.
   *
   * @internal
   * @param lines the ids of the lines, by the observation that they are about
   */
  builtUpon(lines: Readonly<Record<string, string[]>>): Line[] {
    return this.#standing(lines).rests;
  }

  /** Returns which of these lines hold, and which other lines rest on them. */
  #standing(lines: Readonly<Record<string, string[]>>): { held: Line[]; rests: Line[] } {
    const about = this.#linesOf(Object.keys(lines));
    const changes = about.flatMap((line) => {
      const entry = readMemoryLine(line);
      return typeof entry !== "string" && "change" in entry ? entry.change : [];
    });
    const undone = undoneIn(changes);
    const own = new Set(Object.values(lines).flat());
    const valid = about.filter(({ id, op }) => !undone.has(id) && op !== "forget");
    const held = valid.filter(({ id }) => own.has(id));
    const rests = valid.filter((line) =>
      !own.has(line.id) && line.op !== "undo" && held.some((base) => restsOn(line, base))
    );
    return { held, rests };
  }

  /** Returns the lines about some observations, and about those that correct them. */
  #linesOf(ids: readonly string[]): Line[] {
    const { lines } = ids.length > MAX_PARSED
      ? this.#lines.read()
      : this.#lines.readOf((raw) => ids.some((id) => mayHold(raw, id)));
    const wanted = new Set(ids);
    for (const { uid, supersedes } of lines) if (wanted.has(`${supersedes}`)) wanted.add(uid);
    return lines.filter(({ uid }) => wanted.has(uid));
  }

  /** Returns how often each id was recalled on this machine. */
  // deno-lint-ignore require-await -- as all others: failures are rejections
  async recallCounts(): Promise<Map<string, number>> {
    return this.#recalls.read();
  }

  /** Counts one more recall of each of these ids. */
  async incrementRecallCount(ids: readonly string[]): Promise<void> {
    await this.#recalls.increment(ids);
  }

  /**
   * Reads all observations that are not archived.
   *
   * @returns all of them, also retracted ones, by issue and in the order of their arrival
   */
  async listAll(): Promise<Observation[]> {
    return await this.#look((index) => index.inPlace());
  }

  /**
   * Reads all observations issue by issue, archived ones included: together they may exceed the memory of the machine.
   *
   * @returns the observations of one issue after the other; archived ones come last
   */
  async *scan(): AsyncGenerator<Observation[]> {
    for (const issueNumber of await this.#look((index) => index.issues())) {
      yield await this.#look((index) => [
        ...index.inPlace(issueNumber),
        ...index.archived(issueNumber),
      ]);
    }
  }

  /** Returns the bytes of the whole folder, with archive and index. */
  get bytes(): number {
    return bytesBelow(this.#folder) + this.#index.bytes();
  }

  /** Returns sums over all observations that are not archived, also retracted ones. */
  async getStats(): Promise<StoreStats> {
    return summariseStore(await this.listAll(), { bytes: this.bytes, nowMs: sys.now() });
  }

  /** Rebuilds the index; returns the number of observations that are not archived. */
  async rebuild(): Promise<number> {
    await this.#settle();
    await this.#index.rebuild();
    let count = 0;
    for await (const ofIssue of this.scan()) count += ofIssue.length;
    return count;
  }

  /**
   * Examines every file that holds observations.
   *
   * @returns the number of issues with observations, the problems, and the number of lines in the copy alone
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
   * Repairs the files: writes lines of ours again that are in no file here, sets cut lines aside, and removes texts
   * that another branch forgot.
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

  /** Appends the lines that `make` derives from the index. */
  async #change<T>(make: (index: MemoryIndex) => { lines: Line[]; result: T }): Promise<T> {
    return await this.#locked(async (lock) => {
      const { lines, result } = make(await this.#index.lookLocked(lock));
      if (lines.length === 0) return result;
      await this.#append(lines);
      await this.#index.lookLocked(lock); // so that the next reader need not wait for it
      return result;
    });
  }

  async #append(lines: Line[], notes?: JsonObject): Promise<void> {
    sys.makeDir(this.#folder);
    if (lines.length > 0) {
      const of = lines.some(({ op }) => op === "forget") ? "forgotten" : "memory";
      this.#note(AGENT, [{ of, lines: idsByUid(lines) }]);
    }
    await this.#lines.append(AGENT, lines, notes);
  }

  async #look<T>(ask: (index: MemoryIndex) => T | Promise<T>): Promise<T> {
    await this.#settle();
    return await this.#index.look(ask);
  }

  /** Completes a removal that a dead process began. Readers wait for it, so none of the texts is shown. */
  async #settle(): Promise<void> {
    if (this.#lines.notes().erasing === true) await this.#locked(() => {});
  }

  /** Removes forgotten texts from all files; a second pass changes nothing. */
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

  /** Removes forgotten texts from the issue files. */
  #eraseDocuments(tombstones: Tombstones, lock: LockHandle): void {
    for (const { path, kind } of this.#sources.list()) {
      if (kind !== "issue" && kind !== "archive") continue;
      const text = sys.readTextFile(path) ?? "";
      const file = orElse(undefined, () => parseIssueFile(text, path, issueOfSource(path)));
      if (file === undefined) continue; // its texts are not shown; reading reports the file
      const observations = file.observations.filter((each) =>
        tombstones.cleaned(each) !== undefined
      );
      if (observations.length === file.observations.length) continue;
      const changed = encodeIssueFile({ ...file, observations });
      commitFile(lock, path, changed, { fsync: true, lockedPath: this.#index.path });
    }
  }

  /** Runs an action under the lock; every write runs in here. */
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

/** Whether a later line changes the content of an earlier one. */
function restsOn(line: Line, base: Line): boolean {
  if (base.op === "undo" || line.time < base.time) return false;
  if (line.op === "note") return base.op === "note" && line.supersedes === base.uid;
  return line.uid === base.uid && (base.op === "note" || line.op === base.op);
}

function tombstonesIn(index: MemoryIndex): Tombstones {
  const tombstones = new Tombstones();
  for (const change of index.forgotten()) if (change.op === "forget") tombstones.add(change);
  return tombstones;
}

/** Returns the lines that move observations to the new numbers of their issues, and the new ids by the old. */
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

/** Returns the id that an observation has in an issue with another number: the same on every clone. */
export function renumberedId(id: string, issueNumber: number): string {
  const { agent, issueNumber: before } = parseObservationId(id);
  const start = `obs-${agent}-`;
  return `${start}${issueNumber}${id.slice(start.length + String(before).length)}`;
}

/** Returns the number if it is the project or a valid issue. */
function checkObserved(issueNumber: number): number {
  return issueNumber === PROJECT ? PROJECT : checkIssueNumber(issueNumber);
}
