// Finds the process of the host around this session: once it is gone, so is the session.

import { sys } from "../sys/mod.ts";
import { SESSION_HOSTS } from "./host_session.ts";

/** A process, and where and since when its id means it. */
export interface HostProcess {
  /** Process id. */
  pid: number;
  /** When it began, in ticks since the boot. */
  start: string;
  /** The run of the kernel. */
  boot: string;
  /** The namespace of the id. */
  pidNamespace: string;
}

/**
 * Finds the process of the host. A host sets variables for its children, but not for itself: it is the first process
 * above us that has its name and lacks them. A shell or a sandbox between may end before the session does.
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

/** This process, or another one; undefined where nothing is known of it. */
export function processOf(pid: number = sys.pid): HostProcess | undefined {
  const [space, start] = [sys.processSpace(), sys.processStart(pid)];
  if (space === undefined || typeof start !== "string") return undefined;
  const { boot, pidNamespace } = space;
  return { pid, start, boot, pidNamespace };
}

/** Whether a process runs; undefined where that cannot be seen from here. */
export function isHostRunning(
  { pid, start, boot, pidNamespace }: HostProcess,
): boolean | undefined {
  const space = sys.processSpace();
  if (space?.boot !== boot) return space === undefined ? undefined : false;
  if (space.pidNamespace !== pidNamespace) return undefined;
  const now = sys.processStart(pid);
  return now === undefined ? undefined : now === start;
}
