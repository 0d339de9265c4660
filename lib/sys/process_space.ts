// Identifies a process by more than its id: by the space where the id is unique, and by the start of the process, as
// `/proc` shows them.
//
// An id alone proves nothing: ids are reused, other containers count from 1 as well, and a process keeps its id until
// its parent has waited for it. The data are unknown if `/proc` is missing (macOS), is unreadable, or shows another
// space of process ids.

/** One process within a space of unique ids. */
export interface ProcessSpace {
  /** Identifies this run of the kernel. */
  boot: string;
  /** The namespace of the process ids. */
  pidNamespace: string;
  /** When this process started, in ticks since the boot. */
  start: string;
}

/** The runtime's functions to read `/proc`. */
export interface ProcReader {
  readonly pid: number;
  /** Returns the text of a file; undefined if the file does not exist. */
  read(path: string): string | undefined;
  /** Returns the target of a symlink. */
  readLink(path: string): string;
}

/** The states of a process that has ended. A zombie (`Z`) waits until its parent asks for it. */
const ENDED = ["Z", "X", "x"];

/** The positions of fields after the name of the program. That name may contain any character. */
const STATE_FIELD = 0;
const START_FIELD = 19;

/** Returns the space of this process; undefined if it is not known. */
export function readProcessSpace(proc: ProcReader): ProcessSpace | undefined {
  try {
    if (proc.readLink("/proc/self") !== String(proc.pid)) return undefined;
    const boot = proc.read("/proc/sys/kernel/random/boot_id")?.trim();
    const pidNamespace = /\d+/.exec(proc.readLink("/proc/self/ns/pid"))?.[0];
    const start = startOf(proc.read("/proc/self/stat"));
    return boot && pidNamespace && start ? { boot, pidNamespace, start } : undefined;
  } catch {
    return undefined; // then the heartbeat decides about an owner
  }
}

/** Returns when a process of the same space started; null if it has ended, undefined if that is not known. */
export function readProcessStart(proc: ProcReader, pid: number): string | null | undefined {
  try {
    const stat = proc.read(`/proc/${pid}/stat`);
    if (stat !== undefined) return startOf(stat);
    // Processes of other users may be hidden. In that case process 1 is hidden too.
    return proc.read("/proc/1/stat") === undefined ? undefined : null;
  } catch {
    return undefined;
  }
}

function startOf(stat: string | undefined): string | null {
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return ENDED.includes(fields[STATE_FIELD]) ? null : fields[START_FIELD] ?? null;
}
