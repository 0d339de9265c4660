/**
 * One fault at one of the writing calls of `sys`: what a full disk, a broken one or a kill does to a command.
 *
 * @module
 */

import type { OpenFile, System } from "../../lib/sys/mod.ts";
import { Killed } from "../lock/dying.ts";
import { fault, replace, replaceFiles } from "../lock/faults.ts";

/** What happens at the call; `SHORT` lets half of a content through, on a disk that is full then. */
export const FAULTS = ["ENOSPC", "EIO", "SHORT", "KILL"] as const;
export type FaultKind = typeof FAULTS[number];

/** What changes names and modes, and has no content that could be cut in half. */
const CALLS = [
  "rename",
  "removeFile",
  "makeDir",
  "setMode",
  "syncFolder",
  "removeFolder",
  "removeEmptyFolder",
] as const satisfies ReadonlyArray<keyof System>;

/** Until the end of the block that is `using` it, the call of this number fails, counted from 0. */
export class Fault implements Disposable {
  readonly #stack = new DisposableStack();
  readonly #at: number;
  readonly #kind: FaultKind;
  #calls = 0;
  #isDead = false;
  readonly #files: OpenFile[] = [];
  /** The call that failed, such as `rename`, with its path; undefined where none did. */
  failed: string | undefined;

  constructor(at: number, kind: FaultKind) {
    this.#at = at;
    this.#kind = kind;
    for (const name of CALLS) {
      this.#stack.use(replace(name, (real) => (...args: string[]) => {
        return this.#call(name, args[0], real as (...args: string[]) => never, args);
      }));
    }
    this.#stack.use(replace("createFile", (real) => (path, mode) => {
      return this.#call("createFile", path, real, [path, mode]);
    }));
    this.#stack.use(replace("writeNewFile", (real) => (path, content, options) => {
      // Only a process that dies there leaves half of it.
      const half = kind === "KILL" ? () => real(path, halfOf(content), options) : undefined;
      this.#call("writeNewFile", path, real, [path, content, options], half);
    }));
    this.#stack.use(replace("appendTextFile", (real) => (path, text, mode) => {
      const half = () => real(path, halfOf(text), mode);
      this.#call("appendTextFile", path, real, [path, text, mode], half);
    }));
    this.#stack.use(replaceFiles(/./, (file, path): Partial<OpenFile> => (this.#files.push(file), {
      fill: (text) => {
        const half = () => void file.fill(halfOf(text));
        return this.#call("fill", path, (text: string) => file.fill(text), [text], half);
      },
      writeAt: (text, offset) => {
        const write = (text: string) => file.writeAt(text, offset);
        this.#call("writeAt", path, write, [text], () => write(halfOf(text)));
      },
      truncate: (size) => this.#call("truncate", path, () => file.truncate(size), []),
      sync: () => this.#call("sync", path, () => file.sync(), []),
    })));
  }

  /** Whether the process was killed. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** How many calls there were. */
  get calls(): number {
    return this.#calls;
  }

  /** Prints, or fails to. */
  print(): void {
    this.#call("stdout", "the output", () => {}, []);
  }

  #call<Args extends unknown[], T>(
    name: string,
    path: string,
    real: (...args: Args) => T,
    args: Args,
    half?: () => void,
  ): T {
    if (this.#isDead) throw new Killed("killed");
    if (this.#calls++ !== this.#at) return real(...args);
    if (this.#kind === "SHORT" && half === undefined) return real(...args);
    this.failed = `${name} ${path}`;
    if (this.#kind === "SHORT" || this.#kind === "KILL") half?.();
    if (this.#kind === "KILL") {
      this.#isDead = true;
      throw new Killed("killed");
    }
    throw fault(this.#kind === "SHORT" ? "ENOSPC" : this.#kind, path);
  }

  /** With a process its files are closed. */
  [Symbol.dispose](): void {
    this.#stack.dispose();
    if (!this.#isDead) return;
    for (const file of this.#files) {
      try {
        file.close();
      } catch {
        // It was closed before.
      }
    }
  }
}

function halfOf<Content extends string | Uint8Array>(content: Content): Content {
  return content.slice(0, Math.ceil(content.length / 2)) as Content;
}
