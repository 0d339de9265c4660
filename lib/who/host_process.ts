// Finds the process of the host that runs this session. When this process ends, the session has ended, too.

import { sys } from "../sys/mod.ts";
import { SESSION_HOSTS } from "./host_session.ts";

/** A process. Its id alone is not unique: other processes may have the same id later, or in another namespace. */
export interface HostProcess {
  /** Process id. */
  pid: number;
  /** When the process started, in clock ticks since the boot. */
  start: string;
  /** Id of the boot of the kernel. */
  boot: string;
  /** The namespace of the process id. */
  pidNamespace: string;
}

/**
 * Finds the process of the host. A host sets variables for its children, but not for itself, so the nearest ancestor
 * without these variables must be the host. If that ancestor does not have the host's name, the result is undefined.
 * A shell or sandbox in between is skipped, because it may end before the session.
 */
export function hostProcess(): HostProcess | undefined {
  const host = SESSION_HOSTS.find(({ variables }) =>
    variables.some((name) => sys.env(name) !== undefined)
  );
  if (host === undefined) return undefined;
  const above = sys.ancestors().find(({ variables }) =>
    variables === undefined || !variables.some((name) => host.variables.includes(name))
  );
  if (above?.variables === undefined) return undefined;
  if (!above.programs.some((program) => program.includes(host.name))) return undefined;
  return processOf(above.pid);
}

/** Returns the identity of a process, by default of this one; undefined if it cannot be determined. */
export function processOf(pid: number = sys.pid): HostProcess | undefined {
  const [space, start] = [sys.processSpace(), sys.processStart(pid)];
  if (space === undefined || typeof start !== "string") return undefined;
  const { boot, pidNamespace } = space;
  return { pid, start, boot, pidNamespace };
}

/** Returns whether a process is running; undefined if that cannot be seen from this process. */
export function isHostRunning(
  { pid, start, boot, pidNamespace }: HostProcess,
): boolean | undefined {
  const space = sys.processSpace();
  if (space?.boot !== boot) return space === undefined ? undefined : false;
  if (space.pidNamespace !== pidNamespace) return undefined;
  const now = sys.processStart(pid);
  return now === undefined ? undefined : now === start;
}
