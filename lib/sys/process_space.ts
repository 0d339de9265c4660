// Where a process id means something, and whether it still names the same process, as `/proc` tells.
//
// An id alone proves nothing: ids are reused, other containers count from 1 as well, and a process keeps its id until
// its parent has waited for it. Without `/proc` (macOS), or if it is unreadable or shows another space of process ids,
// nothing is known.

/** One process within a space of unique ids. */
export interface ProcessSpace {
  /** This run of the kernel. */
  boot: string;
  /** The namespace of the ids. */
  pidNamespace: string;
  /** When this process began, in ticks since the boot. */
  start: string;
}

/** How a runtime reads what `/proc` says. */
export interface ProcReader {
  readonly pid: number;
  /** The text of a file; undefined if there is none. */
  read(path: string): string | undefined;
  /** The target of a symlink. */
  readLink(path: string): string;
}

/** States of a process that has ended: a zombie waits for its parent to ask. */
const ENDED = ["Z", "X", "x"];

/** Where the fields stand that follow the name of the program, which may hold anything. */
const STATE_FIELD = 0;
const START_FIELD = 19;

/** This process; undefined where that is not known. */
export function readProcessSpace(proc: ProcReader): ProcessSpace | undefined {
  try {
    if (proc.readLink("/proc/self") !== String(proc.pid)) return undefined;
    const boot = proc.read("/proc/sys/kernel/random/boot_id")?.trim();
    const pidNamespace = /\d+/.exec(proc.readLink("/proc/self/ns/pid"))?.[0];
    const start = startOf(proc.read("/proc/self/stat"));
    return boot && pidNamespace && start ? { boot, pidNamespace, start } : undefined;
  } catch {
    return undefined; // an owner is then judged by its heartbeat
  }
}

/**
 * When a process of the same space began; null if it has ended, undefined where that is not known.
 */
export function readProcessStart(proc: ProcReader, pid: number): string | null | undefined {
  try {
    const stat = proc.read(`/proc/${pid}/stat`);
    if (stat !== undefined) return startOf(stat);
    // Processes of other users may be hidden, and the first one with them.
    return proc.read("/proc/1/stat") === undefined ? undefined : null;
  } catch {
    return undefined;
  }
}

function startOf(stat: string | undefined): string | null {
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return ENDED.includes(fields[STATE_FIELD]) ? null : fields[START_FIELD] ?? null;
}
