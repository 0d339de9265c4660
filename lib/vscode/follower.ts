// Reports every change in the files of the workspaces: the one place that watches files. Our files are replaced by a
// rename. The editor reports that as created and never as changed, so all three events count.

import type * as vscode from "vscode";
import type { EditorWorkspace, Vscode } from "./editor.ts";

/** A command causes several events, which are handled at once. */
const SETTLE_MS = 100;

/** Locks come and go with each write, and the index is derived. */
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

  /** Called where only the log has new lines: what reads may write one. */
  onLog(listener: (place: EditorWorkspace) => void): void {
    this.#logListeners.push(listener);
  }

  /** Called when others are followed. */
  onPlaces(listener: () => void): void {
    this.#placesListeners.push(listener);
  }

  /** Follows these from now on, and no others. */
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
