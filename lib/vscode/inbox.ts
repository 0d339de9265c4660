// Reads the entries that wait for the person in each workspace, when its files change.

import type { InboxEntry } from "../inbox/entry.ts";
import { type Editor, type EditorWorkspace, messageOf } from "./editor.ts";

/** An entry and where it is. */
export interface InboxItem {
  place: EditorWorkspace;
  entry: InboxEntry;
}

/** The last read of one workspace. */
interface Read {
  entries: readonly InboxEntry[];
  /** Why something could not be read; empty where all was. */
  problem: string;
}

/** The inboxes of a window. */
export class WindowInbox {
  readonly #editor: Editor;
  readonly #read = new Map<string, Read>();
  readonly #listeners: ((news: InboxItem[]) => void)[] = [];
  readonly #reading = new Map<string, { isStale: boolean; done: Promise<void> }>();

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Called after each reading, with what waits since; the first reading of a workspace has no news. */
  onChange(listener: (news: InboxItem[]) => void): void {
    this.#listeners.push(listener);
  }

  /** All that waits, in the order of the workspaces, most blocking first. */
  all(): InboxItem[] {
    return this.#editor.places().flatMap((place) => this.in(place));
  }

  in(place: EditorWorkspace): InboxItem[] {
    return (this.#read.get(place.root)?.entries ?? []).map((entry) => ({ place, entry }));
  }

  problems(): string[] {
    return this.#editor.places().flatMap(({ root }) => this.#read.get(root)?.problem || []);
  }

  /** Reads a workspace. A change while it is read has it read once more, and no oftener. */
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
