// The lines of this machine. Questions, answers and decisions of its agents become lines, and all lines that may leave
// the machine are sent to its ref at the remote.

import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import type { Machine } from "./claims.ts";
import type { GitRemote, Ref } from "./git_remote.ts";
import {
  fileName,
  type LineFiles,
  lineFilesOf,
  type MachineHead,
  MACHINES,
  MAX_LINE_FILE_BYTES,
  notAlone,
  parseHead,
} from "./line_files.ts";
import { type QuestionParts, shareChanges } from "./questions.ts";
import type { ViewFile } from "./view.ts";

const PUSH_TRIES = 8;

export interface OwnLinesOptions {
  git: GitRemote;
  lines: LineFiles;
  machine: Machine;
  view: ViewFile;
  /** Called with one sentence for a failure that did no harm. */
  notify: (message: string) => void;
}

/** Makes and sends the lines of this machine. */
export class OwnLines {
  /**
   * The roles for which this process answers the questions of all machines; undefined keeps the roles that were sent
   * last.
   */
  serves: string[] | undefined;
  readonly #git: GitRemote;
  readonly #lines: LineFiles;
  readonly #machine: Machine;
  readonly #view: ViewFile;
  readonly #notify: (message: string) => void;

  constructor({ git, lines, machine, view, notify }: OwnLinesOptions) {
    this.#git = git;
    this.#lines = lines;
    this.#machine = machine;
    this.#view = view;
    this.#notify = notify;
  }

  /** Makes lines of the changes in the ledgers. */
  async add(parts: Omit<QuestionParts, "own">): Promise<void> {
    const { id } = this.#machine;
    await shareChanges({ ...parts, own: this.#machine }, (lines) => this.#lines.add(id, lines));
  }

  /** Sends the lines of this machine, unless the remote has them all. */
  async send(): Promise<void> {
    const name = `${MACHINES}${this.#machine.id}`;
    for (let tries = 0;; tries++) {
      const all = this.#lines.of(this.#machine.id);
      const { sent, kept } = this.#view.read();
      const lines = all.filter(({ uid }) => !kept.includes(uid));
      const serves = this.serves ?? sent?.serves ?? [];
      const [ref] = await this.#git.refs(name);
      const isSent = ref !== undefined && ref.id === sent?.commit && sent.lines === lines.length &&
        sent.serves.join() === serves.join();
      if (isSent || ref === undefined && lines.length === 0 && serves.length === 0) return;
      if (ref !== undefined && ref.id !== sent?.commit) await this.#checkOwn(ref, all);
      // From now on, these lines may leave the machine, except lines that a run has kept in the meantime.
      let leaving = lines;
      await this.#view.note((view) => {
        view.offered = Math.max(view.offered, all.length);
        leaving = all.filter(({ uid }) => !view.kept.includes(uid));
      });
      const files = lineFilesOf(leaving);
      const at = isoTime(sys.now());
      const head: MachineHead = { v: 1, machine: this.#machine, files: files.length, at, serves };
      const tree = await this.#git.tree(files);
      const commit = await this.#git.commit(JSON.stringify(head), { tree, nowMs: sys.now() });
      const [pushed] = await this.#git.push([{ name, id: commit, before: ref?.id ?? null }]);
      if (pushed === "done") {
        return await this.#view.note((view) => {
          view.sent = { commit, lines: leaving.length, serves };
        });
      }
      if (tries === PUSH_TRIES) {
        return this.#notify(
          `Lines stay pending: the ref of this machine is locked at ${this.#git.name}`,
        );
      }
      await sys.wait(20 + Math.random() * 100);
      await this.#git.fetch(name);
    }
  }

  /** Keeps the lines of a question on this machine; returns false if they may have left it already. */
  async keepHere(uid: string, line: string | undefined): Promise<boolean> {
    const index = this.#lines.of(this.#machine.id).findIndex(({ id }) => id === line);
    let isKept = false;
    await this.#view.note((view) => {
      isKept = index >= 0 && (index >= view.offered || view.kept.includes(uid));
      if (isKept && !view.kept.includes(uid)) view.kept.push(uid);
    });
    return isKept;
  }

  /** Lets the lines of these questions leave the machine with the next contact. */
  async letGo(uids: readonly string[]): Promise<void> {
    await this.#view.note((view) => {
      view.kept = view.kept.filter((uid) => !uids.includes(uid));
    });
  }

  /** Checks that nobody else wrote to the ref of this machine. Throws `SYNC_ERROR` if somebody did. */
  async #checkOwn(ref: Ref, own: readonly { id: string }[]): Promise<void> {
    const head = parseHead(ref.subject, this.#machine.id);
    if (typeof head === "string") return; // the next push replaces it
    const known = new Set(own.map(({ id }) => id));
    for (let index = 0; index < head.files; index++) {
      const text = await this.#git.file(ref.id, fileName(index), MAX_LINE_FILE_BYTES);
      const ids = String(text).matchAll(/^\{"v":1,"id":"([^"]+)"/gm);
      for (const [, id] of ids) if (!known.has(id)) throw notAlone(this.#git.name);
    }
  }
}
