// Reads the inbox entries of each workspace whenever its files change.

import type { InboxEntry } from "../inbox/entry.ts";
import { type Editor, type EditorWorkspace, messageOf } from "./editor.ts";

/** An inbox entry and its workspace. */
export interface InboxItem {
  place: EditorWorkspace;
  entry: InboxEntry;
}

/** The last result of reading one workspace. */
interface Read {
  entries: readonly InboxEntry[];
  /** Why something could not be read; empty if everything was read. */
  problem: string;
}

/** The inboxes of all workspaces in a window. */
export class WindowInbox {
  readonly #editor: Editor;
  readonly #read = new Map<string, Read>();
  readonly #listeners: ((news: InboxItem[]) => void)[] = [];
  readonly #reading = new Map<string, { isStale: boolean; done: Promise<void> }>();

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Adds a listener that gets the new entries after each read. The first read of a workspace reports none. */
  onChange(listener: (news: InboxItem[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns all entries, in the order of the workspaces, most blocking first. */
  all(): InboxItem[] {
    return this.#editor.places().flatMap((place) => this.in(place));
  }

  in(place: EditorWorkspace): InboxItem[] {
    return (this.#read.get(place.root)?.entries ?? []).map((entry) => ({ place, entry }));
  }

  problems(): string[] {
    return this.#editor.places().flatMap(({ root }) => this.#read.get(root)?.problem || []);
  }

  /** Reads a workspace. If it changes meanwhile, it is read once more afterwards, however often it changed. */
  refresh(place: EditorWorkspace): Promise<void> {
    const { root } = place;
    const reading = this.#reading.get(root);
    if (reading !== undefined) {
      reading.isStale = true;
      return reading.done;
    }
    const state = { isStale: true, done: Promise.resolve() };
    this.#reading.set(root, state);
    state.done = (async () => {
      while (state.isStale) {
        state.isStale = false;
        await this.#readOnce(place);
      }
      this.#reading.delete(root);
    })();
    return state.done;
  }

  async #readOnce(place: EditorWorkspace): Promise<void> {
    const before = this.#read.get(place.root);
    let read: Read;
    try {
      const { value, said } = await this.#editor.calls.run(["inbox"], place.root);
      read = { entries: value.entries as InboxEntry[], problem: said };
    } catch (error) {
      read = { entries: [], problem: messageOf(error) };
    }
    this.#read.set(place.root, read);
    const known = new Set(before?.entries.map(({ id }) => id));
    const news = before === undefined ? [] : read.entries.filter(({ id }) => !known.has(id));
    for (const listener of this.#listeners) listener(news.map((entry) => ({ place, entry })));
  }
}
