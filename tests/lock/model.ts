/**
 * Processes and a file system in memory, for trying out in which order their system calls may come.
 *
 * A process is a program without awaits that runs on the fake `sys`. To take its next step it is run
 * again from the start with the answers that it got so far, and stopped at the system call after the
 * next one. So it can be stopped for any time between any two calls, and killed there, while others go
 * on. Kernel locks are those of `flock`: per open file, and gone with the process.
 *
 * @module
 */

import {
  type FileInfo,
  type OpenFile,
  type ProcessSpace,
  sys,
  type System,
} from "../../lib/sys/mod.ts";
import { elsewhere } from "./plant.ts";

/** What runs as a process of the model. */
export type Program = (process: ModelProcess) => void;

/** What a process knows of itself. */
export interface ModelProcess {
  /** Marks that it works under the lock, or does no more. */
  setInside(isInside: boolean): void;
  /** Waits for a moment, in which everybody who is not stopped or waiting gets on. */
  sleep(): void;
  /** Waits until everybody else waits or works: who is not stopped does within milliseconds. */
  settle(): void;
}

interface Inode {
  text: string;
  modifiedMs: number;
  links: number;
  lockedBy: Handle | undefined;
}

interface Handle {
  inode: Inode;
  owner: Process;
  isOpen: boolean;
}

interface Process {
  id: number;
  hasKernelLock: boolean;
  /** The answers to its system calls so far. */
  answers: unknown[];
  state: "running" | "resting" | "ended" | "failed" | "killed";
  isInside: boolean;
  /** Others do not wait for it: it gets no step for now. */
  isStopped: boolean;
}

/** That of all its processes. */
const SPACE: ProcessSpace = elsewhere({ start: "7" });

const FIRST_PID = 1_000_000_000;

/** Thrown to stop a program at its next system call. */
const STOPPED = Symbol("stopped");

/** The processes and the files. */
export class Model implements Disposable {
  nowMs = Date.now();
  readonly processes: readonly Process[];
  readonly #program: Program;
  readonly #inodes: Inode[] = [];
  readonly #paths = new Map<string, Inode>();
  readonly #handles: Handle[] = [];
  readonly #restore = new DisposableStack();
  #current: Process;
  #answered = 0;
  #mayStep = false;
  #mustSettle = false;
  /** The tokens that the current run has written, by the name they have in the model's files. */
  #tokens = new Map<string, string>();

  /**
   * @param kinds one process each: `D` has kernel locks as Deno, `N` has none, as Node
   * @param program what they run
   */
  constructor(kinds: string, program: Program) {
    this.#program = program;
    this.processes = Array.from(kinds, (kind, id): Process => ({
      id,
      hasKernelLock: kind === "D",
      answers: [],
      state: "running",
      isInside: false,
      isStopped: false,
    }));
    this.#current = this.processes[0];
    this.#install();
  }

  /** Puts a file there. */
  plant(path: string, text: string, ageMs: number): void {
    this.#create(path, text, this.nowMs - ageMs);
  }

  /** Takes one step of a process. */
  step(process: Process): void {
    this.#current = process;
    this.#answered = 0;
    this.#mayStep = true;
    this.#mustSettle = false;
    this.#tokens = new Map();
    const before = process.answers.length;
    const wasResting = process.state === "resting";
    process.state = "running";
    try {
      this.#program({
        setInside: (isInside) => this.#call(() => void (process.isInside = isInside)),
        sleep: () => this.#rest(),
        settle: () => this.#rest(true),
      });
      process.state = "ended";
    } catch (error) {
      if (error !== STOPPED) {
        process.state = "failed";
        throw error;
      }
      const isIdle = process.answers.length === before;
      if (isIdle && (wasResting || this.#mustSettle)) process.state = "resting";
    }
  }

  /** Ends a process at once. */
  kill(process: Process): void {
    process.state = "killed";
    process.isInside = false;
    this.#handles.filter(({ owner }) => owner === process).forEach((handle) => this.#close(handle));
  }

  /** The processes that have something left to do. */
  active(): Process[] {
    return this.processes.filter(({ state }) => state === "running" || state === "resting");
  }

  /** The paths of the files, sorted. */
  paths(): string[] {
    return Array.from(this.#paths.keys()).sort();
  }

  /** How many files are open. */
  openFiles(): number {
    return this.#handles.filter(({ isOpen }) => isOpen).length;
  }

  [Symbol.dispose](): void {
    this.#restore.dispose();
  }

  #install(): void {
    const fakes: Partial<System> = {
      createFile: (path) => {
        const handle = this.#call(() =>
          this.#paths.has(path) ? undefined : this.#open(this.#create(path, "", this.nowMs))
        );
        return handle && this.#openFile(handle);
      },
      openFile: (path) => {
        const handle = this.#call(() => {
          const inode = this.#paths.get(path);
          return inode && this.#open(inode);
        });
        return handle && this.#openFile(handle);
      },
      removeFile: (path) => this.#call(() => this.#unlink(path)),
      rename: (from, to) => {
        const isDone = this.#call(() => {
          const inode = this.#paths.get(from);
          if (inode === undefined) return false;
          this.#unlink(to);
          this.#paths.delete(from);
          this.#paths.set(to, inode);
          return true;
        });
        if (!isDone) throw new Error("ENOENT");
      },
      readDir: (path) =>
        this.#call(() =>
          this.paths().map((name) => name.slice(path === "/" ? 1 : path.length + 1))
        ),
      lstat: (path) =>
        this.#call(() => {
          const inode = this.#paths.get(path);
          return inode && this.#info(inode);
        }),
      processStart: (pid) =>
        this.#call(() => {
          const { state = "killed" } = this.processes[pid - FIRST_PID] ?? {};
          return state === "killed" ? null : SPACE.start;
        }),
      processSpace: () => SPACE,
      every: () => () => {},
    };
    const model = {
      pid: { get: () => FIRST_PID + this.#current.id },
    };
    const names = [...Object.keys(fakes), ...Object.keys(model)];
    const real = Object.fromEntries(
      names.map((name) => [name, Object.getOwnPropertyDescriptor(sys, name)]),
    ) as PropertyDescriptorMap;
    Object.assign(sys, fakes);
    Object.defineProperties(sys, model);
    this.#restore.defer(() => void Object.defineProperties(sys, real));
    const { now } = Date;
    Date.now = () => this.#call(() => this.nowMs);
    this.#restore.defer(() => void (Date.now = now));
    const monotonic = performance.now;
    performance.now = () => this.#call(() => this.nowMs);
    this.#restore.defer(() => void (performance.now = monotonic));
  }

  /** One system call: what was answered before, or the one new step, or the end of this run. */
  #call<T>(action: () => T): T {
    const { answers } = this.#current;
    if (this.#answered === answers.length) {
      if (!this.#mayStep) throw STOPPED;
      this.#mayStep = false;
      answers.push(action());
    }
    return answers[this.#answered++] as T;
  }

  #rest(mustSettle = false): void {
    const isNew = this.#answered === this.#current.answers.length;
    const others = this.processes.filter((process) => process !== this.#current);
    if (
      mustSettle && isNew &&
      others.some(({ state, isStopped }) => state === "running" && !isStopped)
    ) {
      this.#mustSettle = true;
      throw STOPPED;
    }
    this.#call(() => void (this.#current.state = "resting"));
    if (isNew) this.#mayStep = false;
  }

  #create(path: string, text: string, modifiedMs: number): Inode {
    const inode: Inode = { text, modifiedMs, links: 1, lockedBy: undefined };
    this.#inodes.push(inode);
    this.#paths.set(path, inode);
    return inode;
  }

  #unlink(path: string): boolean {
    const inode = this.#paths.get(path);
    if (inode !== undefined) inode.links--;
    return this.#paths.delete(path);
  }

  #open(inode: Inode): Handle {
    const handle: Handle = { inode, owner: this.#current, isOpen: true };
    this.#handles.push(handle);
    return handle;
  }

  #close(handle: Handle): void {
    handle.isOpen = false;
    if (handle.inode.lockedBy === handle) handle.inode.lockedBy = undefined;
  }

  #info(inode: Inode): FileInfo {
    const { links, text, modifiedMs } = inode;
    const id = `0:${this.#inodes.indexOf(inode)}`;
    return { kind: "file", id, links, size: text.length, modifiedMs, uid: 0, mode: 0o600 };
  }

  #openFile(handle: Handle): OpenFile {
    const { inode, owner } = handle;
    return {
      info: () => this.#call(() => this.#info(inode)),
      tryLock: () =>
        this.#call(() => {
          if (!owner.hasKernelLock) return undefined;
          inode.lockedBy ??= handle;
          return inode.lockedBy === handle;
        }),
      read: () =>
        this.#call(() => inode.text).replace(
          /model-\d+-\d+/,
          (name) => this.#tokens.get(name) ?? name,
        ),
      readAt: () => {
        throw new TypeError("A lock reads no part of its file");
      },
      fill: (text) => {
        // Each run makes fresh tokens: in the file they have a name that lasts.
        const token: string = JSON.parse(text).token;
        const name = `model-${owner.id}-${this.#tokens.size}`;
        this.#tokens.set(name, token);
        this.#call(() => {
          inode.text = text.replace(token, name);
          inode.modifiedMs = this.nowMs;
        });
        return text.length;
      },
      writeAt: (text, offset) => {
        const at = offset === "end" ? this.#call(() => inode.text.length) : offset;
        this.#call(() => {
          const { text: old } = inode;
          inode.text = old.slice(0, at).padEnd(at, "\0") + text + old.slice(at + text.length);
          inode.modifiedMs = this.nowMs;
        });
      },
      truncate: (size) => this.#call(() => void (inode.text = inode.text.slice(0, size))),
      sync: () => this.#call(() => {}),
      close: () => this.#call(() => this.#close(handle)),
    };
  }
}
