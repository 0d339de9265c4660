// A list of small records in one JSON file of the state, such as `{ "version": 1, "plans": [...] }`.

import { isObject } from "../base/checks.ts";
import { JsonFile } from "./json_file.ts";
import type { FileLockManager } from "./lock_manager.ts";

export interface JsonListOptions<Item> {
  /** The key of the list in its file. */
  key: string;
  /** Returns whether a value is a valid record. The list refuses a file that holds an invalid record. */
  isItem: (value: unknown) => boolean;
  /** The maximum number of records. Records that `isKept` rejects are dropped first, then the oldest. */
  max?: number;
  isKept?: (item: Item) => boolean;
  /** See {@linkcode JsonFileOptions.fsync}. */
  fsync?: boolean;
}

/** The records of one file, the oldest first. Methods throw the same errors as those of {@linkcode JsonFile}. */
export class JsonList<Item> {
  readonly #file: JsonFile<Record<string, unknown>>;
  readonly #options: JsonListOptions<Item>;

  constructor(path: string, locks: FileLockManager, options: JsonListOptions<Item>) {
    const { key, isItem, fsync } = options;
    const problemWith = (value: unknown) => {
      const list = isObject(value) ? value[key] : undefined;
      return Array.isArray(list) && list.every(isItem) ? undefined : `it has no list of ${key}`;
    };
    this.#file = new JsonFile(path, locks, { problemWith, kind: "state", fsync });
    this.#options = options;
  }

  read(): Item[] {
    return (this.#file.read()?.[this.#options.key] ?? []) as Item[];
  }

  /** Changes the list under the file's lock, after reading the file again. */
  async update(agent: string, change: (items: Item[]) => Item[]): Promise<void> {
    const { key } = this.#options;
    await this.#file.update(agent, (file = { version: 1 }) => {
      return { ...file, [key]: this.#bounded(change((file[key] ?? []) as Item[])) };
    });
  }

  #bounded(items: Item[]): Item[] {
    const { max = Infinity, isKept = () => true } = this.#options;
    const going = items.filter((item) => !isKept(item)).slice(0, Math.max(0, items.length - max));
    const left = items.filter((item) => !going.includes(item));
    return left.slice(Math.max(0, left.length - max));
  }
}
