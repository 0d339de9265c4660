// The scheduled tasks of a repository. `.agentx/schedules.json` belongs to the repository and defines the tasks and
// their times; `.agentx/state/schedules.json` stores when each task was last taken. Nothing watches the clock:
// `agentx schedule run` runs the due tasks, if the user has agreed to the current file (`config/trust.ts`).
//
// A run is taken before it begins, under the lock of that state, so only one of any number of processes takes it. If
// the workspace is shared over a git remote, only one machine takes it. An interrupted run is not started again.

import { isObject, isTime } from "../base/checks.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { findMisfits, type Schema } from "../base/json_schema.ts";
import { enumerate, quote } from "../base/quote.ts";
import { isoTime } from "../base/time.ts";
import { SCHEDULES_PATH } from "../config/packages.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { program } from "../sys/program.ts";
import { sys } from "../sys/mod.ts";
import { nextTime, type Schedule, whyNoTime } from "./schedule.ts";
import schemaFile from "./schedules.schema.json" with { type: "json" };

/** A scheduled task, with its last and its next run. */
export interface ScheduledTask extends Schedule {
  /** The key of the task in the file. */
  id: string;
  /** Time at which the task was last taken, ISO-8601, UTC; null if it never was. */
  last: string | null;
  /** Time of the next run, ISO-8601, UTC; null if the task is off. */
  next: string | null;
}

/** A run of a task. */
export interface TaskRun {
  /** The id of the task. */
  id: string;
  /** 0 on success; null if the run was ended. */
  exitCode: number | null;
  /** The end of the run's output. */
  output: string;
}

/** Options of {@linkcode Scheduler}. */
export interface SchedulerOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The locks of this process. */
  locks: FileLockManager;
  /** Receives `task-fired`. */
  events: AgentEventBus;
  /** Returns the user's consent. */
  trust: () => Promise<RepositoryTrust>;
  /**
   * Takes a run for this machine until the next one; returns false if another machine has taken it. If absent, the
   * workspace is not shared.
   */
  takeTurn?: (id: string, nextMs: number) => Promise<boolean>;
}

/** The last run of a task or, before its first run, when the task was first seen. */
interface Last {
  /** The time, ISO-8601, UTC. */
  time: string;
  hasRun: boolean;
}

/** The last times, by id of the task; older versions wrote only the time. */
type LastTimes = Record<string, Last | string>;

/** If the last run lies further in the future than this, a wrong clock wrote its time. */
const MAX_AHEAD_MS = 25 * 60 * 60_000;

const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_TAIL = 2_000;

const SCHEMA = schemaFile as Schema;
const TASK = schemaFile.properties.schedules.additionalProperties as Schema;

const DEFAULTS = { enabled: false, timeZone: "UTC", description: "", timeoutMinutes: 60 };

/** Lists, changes and runs the scheduled tasks of a workspace (PRD P1.5). */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #last: JsonFile<LastTimes>;

  /** Makes a scheduler; it reads no file before a method is called. */
  constructor(options: SchedulerOptions) {
    const { root, locks } = options;
    this.#options = options;
    this.#last = new JsonFile(`${root}/.agentx/state/schedules.json`, locks, {
      problemWith: (value) =>
        isObject(value) &&
          Object.values(value).every((last) => isTime(isObject(last) ? last.time : last))
          ? undefined
          : "it must hold times by task",
      kind: "state",
    });
  }

  /**
   * Returns all tasks.
   *
   * @throws {AgentxError} `INVALID_CONFIG`, `CORRUPT_STATE`
   */
  list(): ScheduledTask[] {
    const last = this.#last.read() ?? {};
    return Object.entries(this.#read()).map(([id, task]) => {
      const { time, hasRun } = lastOf(id, last) ?? { time: isoTime(sys.now()), hasRun: false };
      const nextMs = nextTime(task, Date.parse(time));
      const next = task.enabled && nextMs !== undefined ? isoTime(nextMs) : null;
      return { id, ...task, last: hasRun ? time : null, next };
    });
  }

  /** Adds a task, or replaces one. Throws `INVALID_CONFIG`. */
  async add(id: string, task: Pick<Schedule, "cron" | "run"> & Partial<Schedule>): Promise<void> {
    await this.#change((tasks) => ({ ...tasks, [id]: { ...task } }));
  }

  /** Removes a task. Throws `NOT_FOUND`, `INVALID_CONFIG`. */
  async remove(id: string): Promise<void> {
    await this.#change((tasks) => {
      const { [id]: _, ...others } = this.#checked(id, tasks);
      return others;
    });
  }

  /** Turns a task on, for times after the next `runDue()`. Throws the errors of {@linkcode remove}. */
  async enable(id: string): Promise<void> {
    await this.#switch(id, true);
  }

  /** Turns a task off. Throws the errors of {@linkcode remove}. */
  async disable(id: string): Promise<void> {
    await this.#switch(id, false);
  }

  /**
   * Runs the due tasks one after the other. Each runs once, however often it was missed.
   *
   * @throws {AgentxError} `UNTRUSTED` unless the user agreed to the file, `INVALID_CONFIG`, `CORRUPT_STATE`
   */
  async runDue({ signal }: { signal?: AbortSignal } = {}): Promise<TaskRun[]> {
    const tasks = Object.entries(this.#read()).filter(([, { enabled }]) => enabled);
    if (tasks.length > 0) await (await this.#options.trust()).checkContent(SCHEDULES_PATH);
    await this.#forget(tasks.map(([id]) => id));
    const runs: TaskRun[] = [];
    for (const [id, task] of tasks) {
      const before = await this.#take(id, task);
      if (before === undefined) continue;
      const { isOurs, why } = await this.#turnOf(id, task, before);
      if (why !== undefined) runs.push({ id, exitCode: null, output: why });
      if (!isOurs) continue;
      const { cron: schedule, description } = task;
      const timestamp = sys.now();
      this.#options.events.emit("task-fired", { taskId: id, schedule, description, timestamp });
      runs.push({ id, ...await this.#run(task, signal) });
    }
    return runs;
  }

  /**
   * Forgets the last times of tasks that are off. When such a task is turned on again, it counts as new, so missed runs
   * do not happen.
   */
  async #forget(enabled: readonly string[]): Promise<void> {
    const isOff = (id: string) => !enabled.includes(id);
    if (!Object.keys(this.#last.read() ?? {}).some(isOff)) return;
    await this.#last.update(
      "schedule",
      (current = {}) => Object.fromEntries(Object.entries(current).filter(([id]) => !isOff(id))),
    );
  }

  /** Takes a due run; returns the last time before it. Returns undefined if no run is due. */
  async #take(id: string, task: Schedule): Promise<Last | undefined> {
    const now = sys.now();
    const knownIn = (times: LastTimes = {}) => {
      const last = lastOf(id, times);
      return last && Date.parse(last.time) - now <= MAX_AHEAD_MS ? last : undefined;
    };
    const waits = (last?: Last) =>
      last !== undefined && (nextTime(task, Date.parse(last.time)) ?? Infinity) > now;
    if (waits(knownIn(this.#last.read()))) return undefined;
    let before: Last | undefined;
    await this.#last.update("schedule", (current = {}) => {
      before = knownIn(current);
      if (!waits(before)) {
        return { ...current, [id]: { time: isoTime(now), hasRun: before !== undefined } };
      }
      before = undefined;
      return current;
    });
    return before;
  }

  /**
   * Returns whether this machine may run the task. If that is unknown, restores the last time, so the run is not lost.
   */
  async #turnOf(
    id: string,
    task: Schedule,
    before: Last,
  ): Promise<{ isOurs: boolean; why?: string }> {
    const { takeTurn } = this.#options;
    const now = sys.now();
    try {
      const next = nextTime(task, now) ?? now;
      return { isOurs: takeTurn === undefined || await takeTurn(id, next) };
    } catch (error) {
      if (!hasCode(error, "SYNC_ERROR")) throw error;
      await this.#last.update("schedule", (current = {}) => ({ ...current, [id]: before }));
      const why = `not run: other machines may run it, and cannot be asked now: ${error.summary}`;
      return { isOurs: false, why };
    }
  }

  async #run(
    { run, timeoutMinutes }: Schedule,
    signal?: AbortSignal,
  ): Promise<Omit<TaskRun, "id">> {
    const { root } = this.#options;
    const { outcome, exitCode, stdout, stderr } = await sys.run(
      [...program.commandLine, "--root", root, ...run],
      {
        cwd: root,
        env: Object.fromEntries(sys.envEntries()),
        stdin: "",
        signal,
        timeoutMs: timeoutMinutes * 60_000,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
    );
    if (outcome === "aborted") throw signal?.reason;
    const output = `${stdout}\n${stderr}`.trim().slice(-MAX_TAIL);
    return { exitCode: outcome === "exited" ? exitCode : null, output };
  }

  #read(): Record<string, Schedule> {
    return readSchedules(this.#options);
  }

  async #change(
    change: (tasks: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<void> {
    const file = scheduleFile(this.#options);
    await file.update("schedule", (content = {}) => {
      parsed(content, file.path);
      const schedules = isObject(content.schedules) ? content.schedules : {};
      const changed = { ...content, schedules: change(schedules) };
      parsed(changed, file.path);
      return changed;
    });
  }

  async #switch(id: string, enabled: boolean): Promise<void> {
    await this.#change((tasks) => ({
      ...tasks,
      [id]: { ...this.#checked(id, tasks)[id], enabled },
    }));
  }

  #checked(id: string, tasks: Record<string, unknown>): Record<string, Record<string, unknown>> {
    if (Object.hasOwn(tasks, id)) return tasks as Record<string, Record<string, unknown>>;
    throw new AgentxError("NOT_FOUND", `Cannot find task "${id}": there is no such schedule`, {
      details: { kind: "task", id },
      next: "List them with: agentx schedule",
    });
  }
}

/** Returns the tasks of a workspace, by id. Throws `INVALID_CONFIG`. */
export function readSchedules(
  where: Pick<SchedulerOptions, "root" | "locks">,
): Record<string, Schedule> {
  const file = scheduleFile(where);
  return parsed(file.read(), file.path);
}

function scheduleFile({ root, locks }: Pick<SchedulerOptions, "root" | "locks">) {
  return new JsonFile<Record<string, unknown>>(`${root}/${SCHEDULES_PATH}`, locks, {
    kind: "versioned",
  });
}

/** Returns the tasks of a file. Throws `INVALID_CONFIG` with everything that is wrong, so that one look is enough. */
function parsed(content: Record<string, unknown> = {}, path: string): Record<string, Schedule> {
  const misfits = findMisfits(content, SCHEMA);
  const written = isObject(content.schedules) ? content.schedules : {};
  const tasks = Object.entries(written).flatMap(([id, task]) =>
    findMisfits(task, TASK).length > 0 ? [] : [[id, { ...DEFAULTS, ...task as Schedule }] as const]
  );
  const problems = [
    ...misfits.map(({ key, why }) => ({ key, said: `${quote(key)} ${why}` })),
    ...tasks.flatMap(([id, task]) => {
      const why = task.run[0] === "schedule" ? "it would run schedules" : whyNoTime(task);
      const key = `schedules.${id}`;
      return why === undefined ? [] : [{ key, said: `${quote(key)}: ${why}` }];
    }),
  ];
  if (problems.length === 0) return Object.fromEntries(tasks);
  const said = enumerate(problems.map(({ said }) => said), "; ");
  throw new AgentxError("INVALID_CONFIG", `Cannot use "${path}": ${said}`, {
    details: { path, line: null, key: problems[0].key },
    next: "Correct the file; nothing was run",
  });
}

function lastOf(id: string, times: LastTimes): Last | undefined {
  const last = Object.hasOwn(times, id) ? times[id] : undefined;
  return typeof last === "string" ? { time: last, hasRun: true } : last;
}
