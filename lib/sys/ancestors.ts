// The ancestors of this process, by `/proc`. Without it (macOS), or if it shows another space of process ids, the list
// is empty.

import type { ProcReader } from "./process_space.ts";

/** A process of this user that started another one, and so on down to this process. */
export interface Ancestor {
  pid: number;
  /** The names of its program: its own name, and the first words of its command line. */
  programs: readonly string[];
  /** The names of its environment variables; undefined where they may not be read. */
  variables: readonly string[] | undefined;
}

/** No process is this deep; a loop of ids that are reused would be endless. */
const MAX_ANCESTORS = 100;

/** The ancestors that belong to the same user, the nearest first. */
export function readAncestors(proc: ProcReader): Ancestor[] {
  const found: Ancestor[] = [];
  try {
    if (proc.readLink("/proc/self") !== String(proc.pid)) return [];
    const own = statusOf(proc, proc.pid);
    for (let { parent: pid } = own, turn = 0; pid > 0 && turn < MAX_ANCESTORS; turn++) {
      const { parent, user, name } = statusOf(proc, pid);
      if (user === own.user) {
        const words = listIn(proc, `/proc/${pid}/cmdline`)?.slice(0, 2) ?? [];
        const variables = listIn(proc, `/proc/${pid}/environ`);
        found.push({
          pid,
          programs: [name, ...words],
          variables: variables?.map((entry) => entry.split("=", 1)[0]),
        });
      }
      pid = parent;
    }
  } catch {
    // It ended meanwhile, or is hidden, and so are the processes above it.
  }
  return found;
}

function statusOf(proc: ProcReader, pid: number) {
  const text = proc.read(`/proc/${pid}/status`) ?? "";
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(text)?.[1] ?? "";
  return {
    parent: Number(field("PPid")),
    user: field("Uid").split(/\s/, 1)[0],
    name: field("Name"),
  };
}

/** Reads a list of items that the kernel ends with NUL; hidden for a program that changed its user. */
function listIn(proc: ProcReader, path: string): string[] | undefined {
  try {
    return proc.read(path)?.split("\0").filter((entry) => entry !== "");
  } catch {
    return undefined;
  }
}
