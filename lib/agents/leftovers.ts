/**
 * What an agent leaves running after its end: a program that has left the process group which is
 * killed with the agent (`setsid`, a daemon). It is found by a variable that all of a run's processes
 * inherit, and it is named, not killed: it may serve others by now, as a build daemon does.
 *
 * Not found: a program that has dropped the variable, one of another user, and anything where there
 * is no readable `/proc` (macOS; Deno without `-A`).
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { sys } from "../sys/mod.ts";

/** A process that goes on. */
export interface Leftover {
  /** Process id. */
  pid: number;
  /** Name of its program. */
  program: string;
}

/** Names the run in the environment of all its processes; a run within a run adds to it. */
export const RUN_VARIABLE = "AGENTX_RUN";

/** What was killed with its group may take a moment to be gone. */
const LOOKS = 5;
const PAUSE_MS = 40;

/**
 * @param run what {@linkcode RUN_VARIABLE} was set to
 * @returns the processes of that run that go on, by process id
 */
export async function findLeftovers(run: string): Promise<Leftover[]> {
  let found = look(run);
  for (let turn = 1; turn < LOOKS && found.length > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    found = look(run);
  }
  return found;
}

function look(run: string): Leftover[] {
  const wanted = `\0${RUN_VARIABLE}=${run}`;
  return processIds()
    .filter((pid) => `\0${readProcess(pid, "environ")}`.includes(wanted))
    .map((pid) => ({ pid, program: readProcess(pid, "comm").trim() }));
}

function processIds(): number[] {
  try {
    return sys.readDir("/proc").map(Number).filter(Number.isInteger).sort((a, b) => a - b);
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return []; // then nothing can be said
    throw error;
  }
}

/** Empty for a process that has ended meanwhile, or that is another user's. */
function readProcess(pid: number, file: string): string {
  try {
    return sys.readTextFile(`/proc/${pid}/${file}`) ?? "";
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return "";
    throw error;
  }
}
