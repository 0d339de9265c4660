/**
 * A second generation of what version control does not hold: the journal, and how often each
 * observation was recalled, as they were on the last day that anything was stored.
 *
 * What is lost or damaged is never copied over what was whole; what is forgotten is forgotten here, too.
 *
 * @module
 */

import { folderOf } from "../../lock/paths.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { DAY_MS } from "../../time.ts";
import type { Observation } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import { encodeJournal, Journal } from "./journal.ts";
import { isOfOtherVersion, parseRecalls, type RecallFile } from "./recalls.ts";

/** Owner of `.agentx/state/backup/`; it is written under the lock of the store. */
export class SecondGeneration {
  /** The folder. */
  readonly folder: string;
  readonly #journal: Journal;
  readonly #recallsPath: string;
  readonly #copy: Journal;
  readonly #recallsCopy: string;

  /** @param recallsPath `.agentx/state/memory-recalls.json`, beside which the folder is */
  constructor(journal: Journal, recallsPath: string) {
    this.folder = `${folderOf(recallsPath)}/backup`;
    this.#journal = journal;
    this.#recallsPath = recallsPath;
    this.#copy = new Journal(`${this.folder}/journal.jsonl`, () => {});
    this.#recallsCopy = `${this.folder}/memory-recalls.json`;
  }

  /** Copies what has changed since the last copy, if that is a day old. */
  keep(change: StoreChange): void {
    if (isDue(this.#journal.path, this.#copy.path) && this.#journal.isWhole()) {
      this.#write(this.#copy.path, encodeJournal(this.#journal.read()), change);
    }
    if (isDue(this.#recallsPath, this.#recallsCopy)) {
      const text = sys.readTextFile(this.#recallsPath);
      if (parseRecalls(text) !== undefined) this.#write(this.#recallsCopy, text!, change);
    }
  }

  /** Removes an observation, and what stands for it. */
  forget(id: string, change: StoreChange): void {
    const all = this.#copy.read();
    const left = all.filter((each) => each.id !== id && each.replaces?.includes(id) !== true);
    if (left.length < all.length) this.#write(this.#copy.path, encodeJournal(left), change);
  }

  /** Removes all of it: ids have changed. */
  clear(): void {
    sys.removeFile(this.#copy.path);
    sys.removeFile(this.#recallsCopy);
  }

  /** What was in the journal; none while that is whole. */
  lost(): Observation[] {
    return this.#journal.isWhole() ? [] : this.#copy.read();
  }

  /** The counts as they were; undefined if those that are there are whole, or there is no copy. */
  lostRecalls(): RecallFile | undefined {
    const text = sys.readTextFile(this.#recallsPath);
    if (parseRecalls(text) !== undefined || isOfOtherVersion(text)) return undefined;
    return parseRecalls(sys.readTextFile(this.#recallsCopy));
  }

  #write(path: string, content: string, change: StoreChange): void {
    sys.makeDir(this.folder, privateModes().folder);
    change.replacePrivate(path, content);
  }
}

/** Whether a file that holds something is younger than its copy, and the copy is a day old. */
function isDue(path: string, copyPath: string): boolean {
  const source = sys.lstat(path);
  if (source === undefined || source.size === 0) return false;
  const copy = sys.lstat(copyPath);
  if (copy === undefined) return true;
  return source.modifiedMs > copy.modifiedMs && Math.abs(sys.now() - copy.modifiedMs) >= DAY_MS;
}
