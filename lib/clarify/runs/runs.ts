// Evidence of current runs: it shows whether a process is working on an open question, and lets only one process at a
// time do so.
//
// The evidence is a lock, held as long as the target runs, with a small file that names the runner. Between Deno
// processes, a dying process releases its lock at once; elsewhere its heartbeat stops, and the locks decide by the
// clock. The files of a dead process prove nothing by themselves.

import { roleOf } from "../../base/agent_names.ts";
import { RunFiles } from "../../agents/run_files.ts";
import { isObject } from "../../base/checks.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { JsonFileLock } from "../../lock/file_lock.ts";
import { inspectLock } from "../../lock/inspect.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import type { OpenRun, Reach, RunState } from "../reach.ts";
import { type ClarificationRecord, isLookedAfter, isUnanswered, lastEntry } from "../schema.ts";

/** Time to keep trying to take a lock: a process that only looks at a lock holds it for a moment. */
const LOOKING_MS = 250;

/** Age of the last heartbeat from which a run counts as `unseen`. A heartbeat comes every 10 seconds. */
const UNSEEN_MS = 12_000;

/** Age of the last heartbeat from which a run counts as dead, as for the locks. */
const DEAD_MS = 30_000;

const UNREADABLE: readonly string[] = ["EROFS", "EACCES", "EPERM"];

/** Owner of the files under `.agentx/state/runs/`. */
export class Runs {
  readonly #folder: string;
  readonly #reachOf: (role: string) => Promise<Reach>;

  /** Takes the folder, which need not exist. Without `reachOf`, agents are run for all roles. */
  constructor(
    folder: string,
    reachOf: (role: string) => Promise<Reach> = () => Promise.resolve({ by: "run" }),
  ) {
    this.#folder = folder;
    this.#reachOf = reachOf;
  }

  /** Finds the party that answers the questions to an agent here. */
  async reach(agent: string): Promise<Reach> {
    return await this.#reachOf(roleOf(agent));
  }

  /**
   * Does work that only one process at a time may do, and shows it to other processes. Undefined if another process is
   * doing it. `key` is the id of a clarification, or `serve`. Throws `IO_ERROR`, and whatever the work throws.
   */
  async hold<T>(key: string, by: string, run: () => Promise<T>): Promise<{ value: T } | undefined> {
    const lock = new JsonFileLock({ maxWaitMs: LOOKING_MS });
    const path = this.#path(key);
    sys.makeDir(this.#folder, privateModes().folder);
    let isOurs = false;
    let done: { value: T } | undefined;
    try {
      await lock.withLock(path, by, async () => {
        isOurs = true;
        const note = { by, pid: sys.pid, since: new Date(sys.now()).toISOString() };
        sys.removeFile(path); // left by a process that died
        sys.writeNewFile(path, JSON.stringify(note) + "\n", {
          fsync: false,
          mode: privateModes().file,
        });
        try {
          done = { value: await run() };
        } finally {
          sys.removeFile(path);
        }
      });
    } catch (error) {
      // The lock is only evidence: its loss does not undo the work.
      const isLost = hasCode(error, "LOCK_LOST") && done !== undefined;
      if (!isLost && (isOurs || !hasCode(error, "LOCK_TIMEOUT"))) throw error;
    }
    return done;
  }

  /** Returns the files of the runs of an open question. */
  filesOf(record: ClarificationRecord): RunFiles {
    const { id, round } = record;
    const asked = lastEntry(record, "question")?.timestamp;
    return new RunFiles(`${this.#folder}/${id}.run`, `${round} ${asked}`);
  }

  /** Returns which process is running something; `key` is the id of a clarification, or `serve`. */
  look(key: string): RunState {
    const nowMs = sys.now();
    const lastSeen = this.#lastSeen(key, nowMs);
    if (lastSeen === undefined) return this.#orphan(key, nowMs);
    const state = nowMs - Date.parse(lastSeen) > UNSEEN_MS ? "unseen" : "running";
    return { clarificationId: key, state, ...this.#note(key), lastSeen };
  }

  /** Returns the run of each open question that this machine looks after, in the order of the records. */
  async ofAll(records: readonly ClarificationRecord[]): Promise<OpenRun[]> {
    const open = records.filter((record) => isLookedAfter(record) && isUnanswered(record));
    if (open.length === 0) return [];
    const names = new Set(sys.readDir(this.#folder)); // mostly empty
    const roles = new Set(open.map(({ to }) => roleOf(to)));
    const reach = new Map(
      await Promise.all(
        Array.from(roles, async (role) => [role, await this.#reachOf(role)] as const),
      ),
    );
    return open.map((record) => {
      const { id, to } = record;
      const hasFiles = names.has(`${id}.run`);
      const isHeld = hasFiles || names.has(`${id}.json.lock`);
      const run = isHeld ? this.look(id) : nobodyOn(id);
      const hasReply = hasFiles && run.state === "nobody" && this.filesOf(record).hasReply;
      return { ...run, reach: reach.get(roleOf(to))!, hasReply };
    });
  }

  /** Lists the ids of the questions that run, or may run. */
  underWay(): string[] {
    const ids = new Set(
      sys.readDir(this.#folder).flatMap((name) =>
        /^(CLR-.+)\.(json\.lock|run)$/.exec(name)?.[1] ?? []
      ),
    );
    return [...ids].filter((id) => this.look(id).state !== "nobody");
  }

  /**
   * Does the work of a runner, of one role or of all roles, and shows it to other processes. Undefined if another
   * runner is doing it.
   */
  async serve<T>(
    role: string | undefined,
    run: () => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    return await this.hold(runnerKey(role), "serve", run);
  }

  /** Returns the state and process of the runner of a role, or of all roles. */
  runner(role: string | undefined): RunState {
    return this.look(runnerKey(role));
  }

  /** Whether a runner is running the questions to an agent. */
  isServed(agent: string): boolean {
    return [undefined, roleOf(agent)].some((role) => this.runner(role).state === "running");
  }

  /** Finds the files that dead processes left of their runs, except replies to open questions. */
  leftovers(isOpen: (id: string) => boolean): string[] {
    const names = sys.readDir(this.#folder);
    const locks = new Set(names.filter((name) => name.endsWith(".lock")));
    const isLeft = (name: string) => {
      if (name.endsWith(".json")) return !locks.has(`${name}.lock`);
      const id = /^(.+)\.run$/.exec(name)?.[1];
      if (id === undefined || locks.has(`${id}.json.lock`) || isOpen(id)) return false;
      return new RunFiles(`${this.#folder}/${name}`, "").living === undefined;
    };
    return names.filter(isLeft).map((name) => `${this.#folder}/${name}`);
  }

  /** Returns the state of a run without a lock: the agent may outlive the process that ran it. */
  #orphan(key: string, nowMs: number): RunState {
    const run = new RunFiles(`${this.#folder}/${key}.run`, "").living;
    if (run === undefined) return nobodyOn(key);
    const { by } = this.#note(key);
    const lastSeen = new Date(nowMs).toISOString();
    return { clarificationId: key, state: "running", by, pid: run.pid, since: run.since, lastSeen };
  }

  /** Returns the last sign of life of the lock's owner; undefined if the lock is free. */
  #lastSeen(key: string, nowMs: number): string | undefined {
    const lockPath = `${this.#path(key)}.lock`;
    try {
      const lock = inspectLock(lockPath);
      if (lock?.state !== "held") return undefined;
      return lock.lastSeen ?? new Date(nowMs).toISOString(); // held, but its owner cannot be read
    } catch (error) {
      if (!hasCode(error, "IO_ERROR") || !UNREADABLE.includes(error.details.errno)) throw error;
    }
    // In a read-only sandbox the lock cannot be probed: use the heartbeat instead.
    const { timestamp } = readObject(lockPath);
    const isFresh = nowMs - Date.parse(String(timestamp)) <= DEAD_MS; // NaN is not <=
    return isFresh ? String(timestamp) : undefined;
  }

  #note(key: string): Pick<RunState, "by" | "pid" | "since"> {
    const { by, pid, since } = readObject(this.#path(key));
    return {
      by: typeof by === "string" ? by : null,
      pid: Number.isSafeInteger(pid) ? pid as number : null,
      since: typeof since === "string" && !Number.isNaN(Date.parse(since)) ? since : null,
    };
  }

  #path(key: string): string {
    return `${this.#folder}/${key}.json`;
  }
}

function nobodyOn(key: string): RunState {
  return {
    clarificationId: key,
    state: "nobody",
    by: null,
    pid: null,
    since: null,
    lastSeen: null,
  };
}

function runnerKey(role: string | undefined): string {
  return role === undefined ? "serve" : `serve-${role}`;
}

/** Returns the object in a file; an empty object if the file is half-written, gone or forged. */
function readObject(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(sys.readTextFile(path, 4_096) ?? "");
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AgentxError) return {};
    throw error;
  }
}
