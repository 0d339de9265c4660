// Reads the ancestors of this process from `/proc`. The list is empty without `/proc` (macOS), or if `/proc` shows
// another space of process ids.

import type { ProcReader } from "./process_space.ts";

/** A process of this user among the parents of this process, their parents and so on. */
export interface Ancestor {
  pid: number;
  /** The names of the program: its own name, and the first words of its command line. */
  programs: readonly string[];
  /** The names of its environment variables; undefined if they cannot be read. */
  variables: readonly string[] | undefined;
}

/** Maximum depth of the search. No process is this deep, and reused ids could otherwise form an endless loop. */
const MAX_ANCESTORS = 100;

/** Returns the ancestors that belong to the same user, the nearest first. */
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
    // The process has ended or is hidden, and so are the processes above it.
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

/** Reads a list of items that end with NUL. Undefined if the list is hidden, as for a program that changed its user. */
function listIn(proc: ProcReader, path: string): string[] | undefined {
  try {
    return proc.read(path)?.split("\0").filter((entry) => entry !== "");
  } catch {
    return undefined;
  }
}
