/**
 * The search index as it is on disk, for whoever only looks: it is asked where nothing has to be written,
 * ended or put right first, and what came with a pull is read beside it. That needs a fraction of the store.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { fileVersion } from "../files.ts";
import type { SourceVersion } from "../search/index_head.ts";
import { IndexReader } from "../search/index_reader.ts";
import type { IndexView } from "../search/index_view.ts";
import { StaleIndex } from "../search/records.ts";
import { sourceVersion } from "./file_versions.ts";
import { Forgetting } from "./forgetting.ts";
import type { Pulled } from "./pulled.ts";

/** The index as it was read. */
interface Read {
  view: IndexView;
  pulled?: Pulled;
}

/** Reads what {@linkcode DerivedIndex} keeps in step. */
export class ReadyIndex {
  readonly #folder: string;
  readonly #index: IndexReader;

  constructor(folder: string) {
    this.#folder = folder;
    this.#index = new IndexReader(`${folder}/index`);
  }

  /**
   * Looks into the index, and at what was pulled since it was made, if anything; undefined where the whole
   * store has to be asked.
   */
  async look<T>(
    look: (view: IndexView, pulled?: Pulled) => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      const read = await this.#read();
      return read === undefined ? undefined : await look(read.view, read.pulled);
    } catch (error) {
      if (error instanceof StaleIndex) return undefined;
      throw error;
    } finally {
      this.#index.release();
    }
  }

  async #read(): Promise<Read | undefined> {
    // What is being forgotten must not show, and what waits in the journal must.
    if (new Forgetting(this.#folder).isPending()) return undefined;
    const journal = `${this.#folder}/journal.jsonl`;
    if ((sys.lstat(journal)?.size ?? 0) > 0) return undefined;
    const before = fileVersion(journal) + this.#index.version();
    const read = await this.#readBoth(sourceVersion(this.#folder));
    const isSame = before === fileVersion(journal) + this.#index.version();
    // Damaged files are named with each answer.
    return isSame && read?.view.damaged.length === 0 ? read : undefined;
  }

  /** The index, and what came since it was made. */
  async #readBoth(source: SourceVersion): Promise<Read | undefined> {
    try {
      return { view: this.#index.read(source) };
    } catch (error) {
      if (!(error instanceof StaleIndex) || error.isDamaged) throw error;
      const { readBeside } = await import("./pulled.ts");
      const pulled = readBeside(this.#folder, this.#index, source);
      return pulled && { view: pulled.view, pulled };
    }
  }
}
