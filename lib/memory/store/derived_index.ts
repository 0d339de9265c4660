/**
 * What is derived from the observations: the manifest and the search index, kept in step with them.
 *
 * They are made anew when they are missing, damaged or out of step, whoever notices first. Readers
 * take no lock for looking, only for that.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { privateModes } from "../../sys/modes.ts";
import { fileVersion } from "../files.ts";
import { hash53 } from "../hash.ts";
import { byTime, type Observation } from "../schema.ts";
import type { IndexView } from "../search/index_view.ts";
import { type IndexChange, SearchIndex, type SourceStamp } from "../search/search_index.ts";
import { StaleIndex } from "../search/stale_index.ts";
import { type FileStamps, issueOfFile } from "./issue_files.ts";
import { Manifest, type ManifestState } from "./manifest.ts";
import type { ChangeContext, ObservationRecords, RecordScan } from "./observation_files.ts";

/** Options of {@linkcode Catalogue}. */
export interface CatalogueOptions {
  /** Runs a change under the lock of the store. */
  change: <T>(change: (context: ChangeContext) => T) => Promise<T>;
  /** Is told what was skipped or rebuilt. */
  tell: (message: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What the files were like before a change. */
export interface Footing {
  /** The issue files. */
  files: FileStamps;
  /** Whether all that is derived was in step with them. */
  isCurrent: boolean;
}

/** All that is derived, made without the lock. */
interface Draft {
  /** What the issue files looked like before they were read. */
  files: FileStamps;
  /** All that was read, by time. */
  observations: Observation[];
  segments: Uint8Array[];
  /** The issues of which a file could not be read. */
  damaged: number[];
}

/** With more issue files, making all of it anew would hold up other writers. */
const MAX_FILES_UNDER_LOCK = 32;

/** The index may change while it is read; to change each time, it would have to be a bug. */
const MAX_LOOKS = 5;

/** Owner of `manifest.json` and `index/`. */
export class Catalogue {
  readonly #records: ObservationRecords;
  readonly #options: CatalogueOptions;
  readonly #manifest: Manifest;
  readonly #index: SearchIndex;
  /** The index as it was last, and what the files looked like then. */
  #seen: { stamp: string; view: IndexView } | undefined;
  /** A change was not followed. */
  #isLate = false;

  /**
   * @param folder `.agentx/memory`
   * @param records what it is derived from
   * @param options how to write, and who is told
   */
  constructor(folder: string, records: ObservationRecords, options: CatalogueOptions) {
    this.#records = records;
    this.#options = options;
    this.#manifest = new Manifest(`${folder}/manifest.json`);
    this.#index = new SearchIndex(`${folder}/index`);
  }

  /**
   * Refuses to go on beside the manifest of a newer version.
   *
   * @throws {AgentxError} `NEWER_STATE`
   */
  guard(): void {
    this.#manifest.guard();
  }

  /**
   * @returns whether the manifest can be relied on; one that is damaged is made anew by who looks next
   * @throws {AgentxError} `NEWER_STATE`
   */
  manifestState(): ManifestState {
    return this.#manifest.state();
  }

  /** @returns what a change begins with: to be asked before it, under the lock */
  footing(): Footing {
    const files = this.#records.stamps();
    return { files, isCurrent: this.#isUnfolded() || this.#index.isCurrent(this.#source(files)) };
  }

  /**
   * Takes in what was folded.
   *
   * @param context the lock
   * @param footing what the files were like before
   * @param moved from the journal to the issue files
   * @throws {AgentxError} `IO_ERROR`
   */
  add(context: ChangeContext, footing: Footing, moved: readonly Observation[]): void {
    const touched = new Set(moved.map(({ issueNumber }) => issueNumber));
    this.#follow(context, footing, touched, { added: this.#index.unknownOf(moved) });
  }

  /**
   * Follows a change that is on the disk already: if it cannot, it is made anew later.
   *
   * @param context the lock
   * @param footing what the files were like before
   * @param issueNumber the issue that was changed
   * @param change what came and went
   */
  amend(
    context: ChangeContext,
    footing: Footing,
    issueNumber: number,
    change: Partial<IndexChange>,
  ): void {
    try {
      this.#follow(context, footing, new Set([issueNumber]), change);
    } catch (error) {
      this.#tellLate(error);
    }
  }

  /** Makes up for a change that was not followed, because that would have held up other writers. */
  async catchUp(): Promise<void> {
    if (!this.#isLate) return;
    try {
      await this.rebuild();
    } catch (error) {
      this.#tellLate(error);
    }
  }

  /**
   * Makes all of it anew. What takes long is done before the lock is taken; what changed meanwhile
   * is taken in under the lock.
   *
   * @returns how many observations there are
   * @throws {AgentxError} `IO_ERROR`, `LOCK_TIMEOUT`, `NEWER_STATE`, `CORRUPT_STATE`
   */
  async rebuild(): Promise<number> {
    const draft = this.#draft();
    return await this.#options.change((context) => this.#publish(draft, context));
  }

  /**
   * Looks into the index as it is now; again, if it changed meanwhile.
   *
   * @param look gets the index; it may be called more than once
   * @returns what `look` returns
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async look<T>(look: (view: IndexView) => T | Promise<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      const headStamp = this.#index.stamp();
      try {
        return await look(await this.#view());
      } catch (error) {
        if (attempt === MAX_LOOKS) throw error;
        this.#seen = undefined;
        if (!(error instanceof StaleIndex)) throw error;
        await this.#repair(error, headStamp);
      }
    }
  }

  async #view(): Promise<IndexView> {
    for (let attempt = 1;; attempt++) {
      const headStamp = this.#index.stamp();
      const stamp = this.#stamp();
      if (this.#seen?.stamp === stamp) return this.#seen.view;
      const { observations, problems } = this.#records.journal.read();
      problems.forEach((problem) => this.#options.tell(problem));
      let view: IndexView;
      try {
        view = this.#isUnfolded()
          ? this.#index.view(observations)
          : this.#index.read(observations, this.#source());
      } catch (error) {
        if (!(error instanceof StaleIndex)) throw error;
        const repaired = await this.#repair(error, headStamp);
        if (repaired !== undefined) return repaired;
        continue;
      }
      if (stamp === this.#stamp() || attempt === MAX_LOOKS) {
        this.#tellDamaged(view);
        this.#seen = { stamp, view };
        return view;
      }
    }
  }

  /**
   * Makes the index anew unless somebody else just did. Where nothing can be written, returns one
   * that is only in memory.
   */
  async #repair(reason: StaleIndex, headStamp: string): Promise<IndexView | undefined> {
    const { change, now, tell } = this.#options;
    const startMs = now();
    const took = () => `(took ${now() - startMs}ms)`;
    const isGood = () => {
      const isSame = reason.isDamaged && headStamp === this.#index.stamp();
      return this.#manifest.state() === "good" && !isSame && this.#isIndexSound();
    };
    let draft: Draft | undefined;
    try {
      // Whoever is in the middle of a change puts it right.
      if (await change(isGood)) return undefined;
      const made = draft = this.#draft();
      await change((context) => {
        if (isGood()) return;
        const isManifestGood = this.#manifest.state() === "good";
        this.#publish(made, context);
        if (!isManifestGood) tell(`Memory manifest rebuilt from issue files ${took()}`);
        else if (reason.isDamaged) {
          tell(`Memory index rebuilt from issue files ${took()}: ${reason.message}`);
        }
      });
      return undefined;
    } catch (error) {
      if (!hasCode(error, "IO_ERROR") && !hasCode(error, "LOCK_TIMEOUT")) throw error;
      tell(`Memory searches without its index: ${error.message.replace("\n", ". ")}`);
      return this.#index.view((draft ?? this.#readAllByTime()).observations);
    }
  }

  #isIndexSound(): boolean {
    try {
      return this.#index.read([], this.#source()) !== undefined;
    } catch (error) {
      if (error instanceof StaleIndex) return false;
      throw error;
    }
  }

  /** Everything is in the journal yet, if there is anything. */
  #isUnfolded(): boolean {
    return this.#index.stamp() === "" && fileVersion(this.#manifest.path) === "" &&
      this.#records.issueNumbers().length === 0;
  }

  /** What everything that is derived is derived from. */
  #source(files: FileStamps = this.#records.stamps()): SourceStamp {
    const all = Array.from(files, ([name, stamp]) => `${name}:${stamp}`).join();
    return { manifest: fileVersion(this.#manifest.path), files: `${files.size}:${hash53(all)}` };
  }

  /** Changes whenever there may be something new to be found. */
  #stamp(): string {
    return [this.#records.journal.path, this.#manifest.path].map(fileVersion).join() +
      this.#index.stamp();
  }

  /** Whatever is not followed is noticed by who looks next, for the files are not as they were. */
  #follow(
    context: ChangeContext,
    { files: before, isCurrent }: Footing,
    touched: ReadonlySet<number>,
    { added = [], removed = [], retracted = [] }: Partial<IndexChange>,
  ): void {
    const options = this.#writeOptions(context);
    if (isCurrent && this.#manifest.change(added, new Set(removed), options)) {
      const journal = this.#records.journal.read().observations;
      const source = this.#source(this.#records.stamps(before, touched));
      if (this.#index.extend({ added, removed, retracted }, { ...options, source, journal })) {
        return;
      }
    }
    if (before.size > MAX_FILES_UNDER_LOCK) this.#isLate = true;
    else this.#publish(this.#draft(), context);
  }

  #draft(): Draft {
    const files = this.#records.stamps();
    if (files.size > MAX_FILES_UNDER_LOCK) {
      this.#options.tell(`Making the index of memory anew from ${files.size} issue files`);
    }
    const { observations, damaged } = this.#readAllByTime();
    return { files, observations, damaged, segments: this.#index.draft(observations) };
  }

  #publish(draft: Draft, context: ChangeContext): number {
    const { files, observations, segments } = draft;
    const options = this.#writeOptions(context);
    const filesNow = this.#records.stamps();
    const changed = issuesThatDiffer(files, filesNow);
    const scans = [...changed].map((issueNumber) => this.#records.readIssue(issueNumber));
    const current = scans.flatMap((scan) => scan.observations);
    const damaged = [
      ...draft.damaged.filter((issueNumber) => !changed.has(issueNumber)),
      ...scans.flatMap((scan) => scan.damaged),
    ];
    const kept = observations.filter(({ issueNumber }) => !changed.has(issueNumber));
    const all = changed.size === 0 ? observations : [...kept, ...current].sort(byTime);
    const past = observations.filter(({ issueNumber }) => changed.has(issueNumber));
    this.#manifest.write(all, options);
    const journal = this.#records.journal.read().observations;
    const how = { ...options, source: this.#source(filesNow), journal };
    this.#index.publish({ segments, observations, damaged }, how);
    if (changed.size > 0) this.#index.extend(differenceOf(past, current), how);
    this.#isLate = false;
    return all.length;
  }

  #writeOptions(context: ChangeContext) {
    const options = { fsync: false, mode: privateModes().file };
    const replaceFile = this.#records.replaceFile(context, options);
    return { updatedAt: context.updatedAt, replaceFile };
  }

  #tellLate(error: unknown): void {
    if (!hasCode(error, "IO_ERROR") && !hasCode(error, "LOCK_TIMEOUT")) throw error;
    this.#options.tell(`Memory's index is late: ${error.message.replace("\n", ". ")}`);
  }

  /** What is not in the index is said with each answer from it, not only when it was made. */
  #tellDamaged({ damaged }: IndexView): void {
    for (const issueNumber of damaged) {
      const { problems } = this.#records.readIssue(issueNumber);
      problems.forEach((problem) => this.#options.tell(problem));
    }
  }

  #readAllByTime(): RecordScan {
    const scan = this.#records.readAll();
    scan.problems.forEach((problem) => this.#options.tell(problem));
    scan.observations.sort(byTime);
    return scan;
  }
}

function issuesThatDiffer(before: FileStamps, after: FileStamps): Set<number> {
  const names = [...before.keys(), ...after.keys()];
  const differ = names.filter((name) => before.get(name) !== after.get(name));
  return new Set(differ.map((name) => issueOfFile(name) as number));
}

/**
 * @param before the observations of some issues
 * @param after those of the same issues later
 * @returns what came and what went; what was altered goes and comes
 */
export function differenceOf(
  before: readonly Observation[],
  after: readonly Observation[],
): IndexChange {
  const texts = new Map(before.map((each) => [each.id, JSON.stringify(each)]));
  const isSame = (each: Observation) => texts.get(each.id) === JSON.stringify(each);
  const same = new Set(after.filter(isSame).map(({ id }) => id));
  const added = after.filter(({ id }) => !same.has(id));
  return {
    added,
    removed: before.filter(({ id }) => !same.has(id)).map(({ id }) => id),
    retracted: added.filter(({ retracted }) => retracted !== undefined).map(({ id }) => id),
  };
}
