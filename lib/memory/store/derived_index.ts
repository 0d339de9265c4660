/**
 * What is derived from the observations: the manifest and the search index, kept in step with them.
 *
 * They are rebuilt when a reader or a writer finds them missing, damaged or out of step. Readers take
 * the lock only for that, and not for what came with a pull, which they read beside the index.
 *
 * @module
 */

import { loadRules } from "../../redact/known_clean.ts";
import { sys } from "../../sys/mod.ts";
import { fileVersion } from "../files.ts";
import { byTime, type Observation } from "../schema.ts";
import type { SourceVersion } from "../search/index_head.ts";
import type { IndexView } from "../search/index_view.ts";
import { StaleIndex } from "../search/records.ts";
import { type IndexChange, SearchIndex } from "../search/search_index.ts";
import { type StoreChange, tellHindered } from "./change.ts";
import { differenceOf, issuesThatDiffer } from "./difference.ts";
import { type FileVersions, sourceVersion } from "./file_versions.ts";
import { Manifest, type ManifestState } from "./manifest.ts";
import type { ObservationFiles, ObservationScan } from "./observation_files.ts";
import { readBeside } from "./pulled.ts";

/** Options of {@linkcode DerivedIndex}. */
export interface DerivedIndexOptions {
  /** Runs an action under the lock of the store. */
  locked: <T>(action: (change: StoreChange) => T) => Promise<T>;
  /** Is told what was rebuilt. */
  tell: (message: string) => void;
}

/** A whole index, made without the lock. */
interface Draft extends ObservationScan {
  /** What the issue files looked like before they were read. */
  versions: FileVersions;
  segments: Uint8Array[];
}

/** With more issue files, rebuilding would hold up other writers. */
const MAX_FILES_UNDER_LOCK = 32;

/** The index may change while it is read; if it changed each time, that would be a bug. */
const MAX_LOOKS = 5;

/** Within this time, a folder may change twice and look the same: file systems count in steps. */
const STEP_MS = 20;

/** Owner of `manifest.json` and `index/`. */
export class DerivedIndex {
  readonly #files: ObservationFiles;
  readonly #options: DerivedIndexOptions;
  readonly #manifest: Manifest;
  readonly #index: SearchIndex;
  /** The index as it was last, and what it was read from. */
  #seen: { version: string; view: IndexView } | undefined;
  /** A change was not applied. */
  #isLate = false;

  constructor(folder: string, files: ObservationFiles, options: DerivedIndexOptions) {
    this.#files = files;
    this.#options = options;
    this.#manifest = new Manifest(`${folder}/manifest.json`);
    this.#index = new SearchIndex(`${folder}/index`);
  }

  /** Refuses to go on beside a manifest of a newer version: `NEWER_STATE`. */
  guard(): void {
    this.#manifest.guard();
  }

  /** Whether the manifest can be relied on; one that is damaged is rebuilt by the next reader. */
  manifestState(): ManifestState {
    return this.#manifest.state();
  }

  /** Those that are not in the index yet, although they may have been there in the journal. */
  unknownOf(flushed: readonly Observation[]): Observation[] {
    return this.#index.unknownOf(flushed);
  }

  /**
   * Follows a change of the files of some issues, or leaves it to {@linkcode catchUp} and returns
   * false. The baseline is what the files looked like before it, under the lock.
   */
  apply(
    difference: IndexChange,
    issueNumbers: ReadonlySet<number>,
    baseline: FileVersions,
    change: StoreChange,
  ): boolean {
    const versions = this.#files.issues.versions(baseline, issueNumbers);
    if (this.#isUnflushed(baseline) || this.#index.isCurrent(this.#source(baseline))) {
      if (issuesThatDiffer(baseline, versions).size === 0) return true;
      const { added, removed } = difference;
      if (
        this.#manifest.update(added, removed, change) &&
        this.#index.extend(difference, this.#writeOptions(versions, change))
      ) return true;
    }
    if (this.#follow(change)) return true;
    // Whatever is not followed is noticed by the next reader, for the files are not as they were.
    this.#isLate = baseline.size > MAX_FILES_UNDER_LOCK;
    if (!this.#isLate) this.#publish(this.#draft(), change);
    return !this.#isLate;
  }

  /** Leaves nothing of an issue in what is derived; the next reader rebuilds it. */
  drop(issueNumber: number, change: StoreChange): void {
    this.#manifest.drop(issueNumber, change);
    this.#index.clear();
    this.#seen = undefined;
  }

  /** Makes up for a change that was left out, since it would have held up other writers. */
  async catchUp(): Promise<void> {
    try {
      if (this.#isLate) await this.#followOrRebuild();
    } catch (error) {
      this.tellLate(error);
    }
  }

  /** The files are changed already: if the index cannot follow, it is rebuilt later. */
  tellLate(error: unknown): void {
    tellHindered("The index of memory is out of date", error, this.#options.tell);
  }

  /**
   * Rebuilds all of it, and returns how many observations there are. What takes long is done before
   * the lock is taken; what changed meanwhile is taken in under the lock.
   */
  async rebuild(): Promise<number> {
    const draft = await this.#draftJudged();
    return await this.#options.locked((change) => this.#publish(draft, change));
  }

  async #followOrRebuild(): Promise<void> {
    const { locked } = this.#options;
    if (await locked((change) => this.#follow(change))) this.#isLate = false;
    else await this.rebuild();
  }

  /**
   * Takes in what came and went in some issue files since the index was made, such as by a pull. False
   * if that is too much, or the index cannot be relied on: then it must be rebuilt.
   */
  #follow(change: StoreChange): boolean {
    const known = this.#index.reader.readHead();
    const isKnown = known?.source.manifest === fileVersion(this.#manifest.path);
    if (known === undefined || !isKnown) return false;
    const versions = this.#files.issues.versions();
    const changed = issuesThatDiffer(new Map(Object.entries(known.source.files)), versions);
    if (changed.size === 0 || changed.size > MAX_FILES_UNDER_LOCK) return false;
    try {
      const { reader } = this.#index;
      const before = reader.observationsOf(known, reader.documentsOf(known, changed));
      const current = this.#files.read(changed);
      const left = (known.damaged ?? []).filter((issueNumber) => !changed.has(issueNumber));
      const difference = {
        ...differenceOf(before, current.observations),
        damaged: [...left, ...current.damaged],
      };
      const { added, removed } = difference;
      if (!this.#manifest.update(added, removed, change)) return false;
      return this.#index.extend(difference, this.#writeOptions(versions, change));
    } catch (error) {
      if (error instanceof StaleIndex) return false;
      throw error;
    } finally {
      this.#index.reader.release();
    }
  }

  /** Looks into the index as it is now; again, if it changed meanwhile. */
  async look<T>(look: (view: IndexView) => T | Promise<T>): Promise<T> {
    let view: IndexView | undefined;
    for (let attempt = 1;; attempt++) {
      const headVersion = this.#index.reader.version();
      try {
        return await look(view ?? this.#read());
      } catch (error) {
        if (!(error instanceof StaleIndex) || attempt === MAX_LOOKS) throw error;
        this.#seen = undefined;
        view = this.#besideIndex(error) ?? await this.#mend(error, headVersion);
      } finally {
        this.#index.reader.release();
      }
    }
  }

  /** Throws a `StaleIndex` if it is missing, damaged or out of step. */
  #read(): IndexView {
    for (let attempt = 1;; attempt++) {
      const version = this.#version();
      if (this.#seen?.version === version) return this.#seen.view;
      const waiting = this.#files.journal.read();
      const view = this.#isUnflushed()
        ? this.#index.view(waiting)
        : this.#index.read(waiting, this.#source());
      if (version !== this.#version() && attempt < MAX_LOOKS) continue;
      // Damaged files are named with each answer from the index, not only when it was built.
      if (view.damaged.length > 0) this.#files.read(view.damaged);
      if (this.#isSettled()) this.#seen = { version, view };
      return view;
    }
  }

  /** A view that needs nothing to be written, though something was pulled. */
  #besideIndex({ isDamaged }: StaleIndex): IndexView | undefined {
    const { issues, journal } = this.#files;
    if (isDamaged || journal.read().length > 0) return undefined;
    try {
      return readBeside(issues.folder, this.#index.reader, this.#source())?.view;
    } catch (error) {
      if (error instanceof StaleIndex) return undefined;
      throw error;
    }
  }

  /**
   * Rebuilds the index unless it is good by now. Returns a view if nothing had to be written, or
   * nothing could be: it is only in memory then.
   */
  async #mend(reason: StaleIndex, headVersion: string): Promise<IndexView | undefined> {
    const { locked, tell } = this.#options;
    const startMs = sys.now();
    let draft: Draft | undefined;
    try {
      // A writer in the middle of a change may put it right.
      const view = await locked((change) => {
        const view = this.#readIfGood(reason, headVersion);
        if (view !== undefined || reason.isDamaged || !this.#follow(change)) return view;
        return this.#readIfGood(reason, headVersion);
      });
      if (view !== undefined) return view;
      const made = draft = await this.#draftJudged();
      return await locked((change) => {
        const view = this.#readIfGood(reason, headVersion);
        if (view !== undefined) return view;
        const isManifestGood = this.#manifest.read() !== undefined;
        this.#publish(made, change);
        const took = `(took ${sys.now() - startMs}ms)`;
        if (!isManifestGood) tell(`Memory manifest rebuilt from issue files ${took}`);
        else if (reason.isDamaged) {
          tell(`Memory index rebuilt from issue files ${took}: ${reason.message}`);
        }
      });
    } catch (error) {
      tellHindered("Memory search is not using the index", error, tell);
      return this.#index.view(draft?.observations ?? this.#readByTime().observations);
    }
  }

  /** A head that is still the one that led to damage is not good. */
  #readIfGood({ isDamaged }: StaleIndex, headVersion: string): IndexView | undefined {
    if (isDamaged && headVersion === this.#index.reader.version()) return undefined;
    if (this.#manifest.read() === undefined) return undefined;
    try {
      return this.#read();
    } catch (error) {
      if (error instanceof StaleIndex) return undefined;
      throw error;
    }
  }

  /** Everything is in the journal yet, if there is anything. */
  #isUnflushed(versions?: FileVersions): boolean {
    return this.#index.reader.version() === "" && fileVersion(this.#manifest.path) === "" &&
      (versions ?? this.#files.issues.versions()).size === 0;
  }

  /** What everything that is derived is derived from. */
  #source(versions?: FileVersions): SourceVersion {
    return sourceVersion(this.#files.issues.folder, versions);
  }

  /** Changes whenever there may be something new to be found, but for what is written into a file in place. */
  #version(): string {
    const { journal, issues } = this.#files;
    const paths = [journal.path, this.#manifest.path, issues.folder];
    return paths.map(fileVersion).join() + this.#index.reader.version();
  }

  /** Whether another change of the folder would show in its version. */
  #isSettled(): boolean {
    const changedMs = sys.lstat(this.#files.issues.folder)?.modifiedMs ?? 0;
    return sys.now() - changedMs > STEP_MS;
  }

  /** With the rules of redaction, which are not loaded under a lock. */
  async #draftJudged(): Promise<Draft> {
    await loadRules();
    return this.#draft();
  }

  #draft(): Draft {
    const versions = this.#files.issues.versions();
    if (versions.size > MAX_FILES_UNDER_LOCK) {
      this.#options.tell(`Rebuilding the index of memory from ${versions.size} issue files`);
    }
    const scan = this.#readByTime();
    return { ...scan, versions, segments: this.#index.draft(scan.observations) };
  }

  #publish(draft: Draft, change: StoreChange): number {
    const versions = this.#files.issues.versions();
    const changed = issuesThatDiffer(draft.versions, versions);
    const isChanged = ({ issueNumber }: Observation) => changed.has(issueNumber);
    const current = this.#files.read(changed);
    const all = changed.size === 0
      ? draft.observations
      : [...draft.observations.filter((each) => !isChanged(each)), ...current.observations]
        .sort(byTime);
    const damaged = [...draft.damaged.filter((each) => !changed.has(each)), ...current.damaged];
    this.#manifest.write(all, change);
    // Until it has taken in what changed, it says that it does not know it.
    this.#index.publish({ ...draft, damaged }, this.#writeOptions(draft.versions, change));
    if (changed.size > 0) {
      const difference = differenceOf(draft.observations.filter(isChanged), current.observations);
      this.#index.extend(difference, this.#writeOptions(versions, change));
    }
    this.#isLate = false;
    return all.length;
  }

  #writeOptions(versions: FileVersions, { replaceDerived }: StoreChange) {
    const journal = this.#files.journal.read();
    return { source: this.#source(versions), journal, replaceFile: replaceDerived };
  }

  #readByTime(): ObservationScan {
    const scan = this.#files.read();
    scan.observations.sort(byTime);
    return scan;
  }
}
