/**
 * What is derived from the observations: the manifest and the search index, kept in step with them.
 *
 * They are made anew when they are missing, damaged or out of step, whoever notices first. Readers
 * take no lock for looking, only for that.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { type IndexView, StaleIndex } from "./index_view.ts";
import { Manifest } from "./manifest.ts";
import type { ChangeContext, ObservationRecords } from "./records.ts";
import { byTime, type Observation } from "./schema.ts";
import { type IndexChange, SearchIndex, type SourceStamp, stampOf } from "./search_index.ts";
import { DamagedSegment } from "./segment.ts";

/** Options of {@linkcode Catalogue}. */
export interface CatalogueOptions {
  /** Runs a change under the lock of the store. */
  change: <T>(change: (context: ChangeContext) => T) => Promise<T>;
  /** Is told what was skipped or rebuilt. */
  tell: (message: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

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
   * Refuses to go on beside a manifest that is not ours.
   *
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`
   */
  guard(): void {
    this.#manifest.guard();
  }

  /** @returns whether it is in step: to be asked before a change */
  isCurrent(): boolean {
    return this.#isUnfolded() || this.#index.isCurrent(this.#source());
  }

  /**
   * Takes in what was folded.
   *
   * @param context the lock
   * @param isCurrent whether it was in step before
   * @param moved from the journal to the issue files
   * @throws {AgentxError} `IO_ERROR`
   */
  add(context: ChangeContext, isCurrent: boolean, moved: readonly Observation[]): void {
    this.#bringUpToDate(context, isCurrent, { added: this.#index.unknownOf(moved) });
  }

  /**
   * Follows a change that is on the disk already: if it cannot, it is made anew later.
   *
   * @param context the lock
   * @param isCurrent whether it was in step before
   * @param change what came and went
   */
  amend(context: ChangeContext, isCurrent: boolean, change: Partial<IndexChange>): void {
    try {
      this.#bringUpToDate(context, isCurrent, change);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      this.#options.tell(`Memory's index is late: ${error.message.replace("\n", ". ")}`);
    }
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
        await this.#repair(staleIndexFrom(error), headStamp);
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
    const startMs = this.#options.now();
    const took = () => `(took ${this.#options.now() - startMs}ms)`;
    try {
      await this.#options.change((context) => {
        const isManifestGood = this.#manifest.state() === "good";
        const isSame = reason.isDamaged && headStamp === this.#index.stamp();
        if (isManifestGood && !isSame && this.#isIndexSound()) return;
        this.rebuild(context);
        if (!isManifestGood) {
          this.#options.tell(`Memory manifest rebuilt from issue files ${took()}`);
        } else if (reason.isDamaged) {
          this.#options.tell(`Memory index rebuilt from issue files ${took()}: ${reason.message}`);
        }
      });
      return undefined;
    } catch (error) {
      if (!hasCode(error, "IO_ERROR") && !hasCode(error, "LOCK_TIMEOUT")) throw error;
      this.#options.tell(`Memory searches without its index: ${error.message.replace("\n", ". ")}`);
      return this.#index.view(this.#readAllByTime());
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
    return this.#index.stamp() === "" && stampOf(this.#manifest.path) === "" &&
      this.#records.issueNumbers().length === 0;
  }

  /** What everything that is derived is derived from. */
  #source(): SourceStamp {
    return { manifest: stampOf(this.#manifest.path), files: this.#records.stamp() };
  }

  /** Changes whenever there may be something new to be found. */
  #stamp(): string {
    return [this.#records.journal.path, this.#manifest.path].map(stampOf).join() +
      this.#index.stamp();
  }

  #bringUpToDate(
    context: ChangeContext,
    isCurrent: boolean,
    { added = [], removed = [], retracted = [] }: Partial<IndexChange>,
  ): void {
    const replaceFile = this.#records.replaceFile(context, { fsync: false });
    const options = { ...context, replaceFile };
    if (isCurrent && this.#manifest.change(added, new Set(removed), options)) {
      const journal = this.#records.journal.read().observations;
      const change = { added, removed, retracted };
      if (this.#index.extend(change, { source: this.#source(), journal, replaceFile })) return;
    }
    this.rebuild(context);
  }

  /**
   * Makes all of it anew.
   *
   * @param context the lock
   * @returns how many observations there are
   * @throws {AgentxError} `IO_ERROR`, `NEWER_STATE`, `CORRUPT_STATE`
   */
  rebuild(context: ChangeContext): number {
    const replaceFile = this.#records.replaceFile(context, { fsync: false });
    const all = this.#readAllByTime();
    this.#manifest.write(all, { ...context, replaceFile });
    const journal = this.#records.journal.read().observations;
    this.#index.rebuild(all, { source: this.#source(), journal, replaceFile });
    return all.length;
  }

  #readAllByTime(): Observation[] {
    const { observations, problems } = this.#records.readAll();
    problems.forEach((problem) => this.#options.tell(problem));
    return observations.sort(byTime);
  }
}

/** What a look into the index failed with, if it is the index that is to blame. */
function staleIndexFrom(error: unknown): StaleIndex {
  if (error instanceof StaleIndex) return error;
  if (error instanceof DamagedSegment) return new StaleIndex(error.message, true);
  throw error;
}
