// Reports each change in the files of the workspaces. This is the only module that watches files. agentx replaces
// files by a rename, which the editor reports as a creation and not as a change, so all three events count.

import type * as vscode from "vscode";
import type { EditorWorkspace, Vscode } from "./editor.ts";

/** Delay that joins the events of one command, in milliseconds. */
const SETTLE_MS = 100;

/** Matches files that are ignored: locks come and go with each write, and the index is derived from other files. */
const NOISE = /\.lock$|\/state\/index/;

const LOG = /\/\.agentx\/log\//;

export class Follower {
  readonly #vscode: Vscode;
  readonly #listeners: ((place: EditorWorkspace) => void)[] = [];
  readonly #logListeners: ((place: EditorWorkspace) => void)[] = [];
  readonly #placesListeners: (() => void)[] = [];
  readonly #settling = new Map<string, ReturnType<typeof setTimeout>>();
  #watchers: vscode.Disposable[] = [];

  constructor(vscode: Vscode) {
    this.#vscode = vscode;
  }

  onChange(listener: (place: EditorWorkspace) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Adds a listener for changes of the log alone. Such changes are separate, because a command that only reads may
   * write to the log.
   */
  onLog(listener: (place: EditorWorkspace) => void): void {
    this.#logListeners.push(listener);
  }

  /** Adds a listener for changes of the followed workspaces. */
  onPlaces(listener: () => void): void {
    this.#placesListeners.push(listener);
  }

  /** Follows these workspaces, and stops following others. */
  follow(places: readonly EditorWorkspace[]): void {
    this.#unfollow();
    this.#watchers = places.map((place) => this.#watch(place));
    for (const listener of this.#placesListeners) listener();
  }

  dispose(): void {
    this.#unfollow();
    for (const timer of this.#settling.values()) clearTimeout(timer);
  }

  #unfollow(): void {
    for (const watcher of this.#watchers) watcher.dispose();
  }

  #watch(place: EditorWorkspace): vscode.Disposable {
    const { RelativePattern, Uri, workspace } = this.#vscode;
    const pattern = new RelativePattern(Uri.file(place.root), ".agentx/**");
    const watcher = workspace.createFileSystemWatcher(pattern);
    const changed = ({ path }: vscode.Uri) => {
      if (NOISE.test(path)) return;
      const [what, listeners] = LOG.test(path)
        ? ["log", this.#logListeners]
        : ["state", this.#listeners];
      const key = `${what} ${place.root}`;
      if (this.#settling.has(key)) return;
      const tell = () => {
        this.#settling.delete(key);
        for (const listener of listeners) listener(place);
      };
      this.#settling.set(key, setTimeout(tell, SETTLE_MS));
    };
    watcher.onDidCreate(changed);
    watcher.onDidChange(changed);
    watcher.onDidDelete(changed);
    return watcher;
  }
}
