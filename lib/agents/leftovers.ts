// Finds programs that an agent leaves running after its end. They left the process group that is killed with the agent
// (`setsid`, a daemon), but all processes of a run inherit a variable that identifies the run. Such programs are
// reported, not killed: other processes may use them by now, such as a build daemon.
//
// Not found: a program that has dropped the variable, a program of another user, and any program on a system without a
// readable `/proc` (macOS; Deno without `-A`).

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

export interface Leftover {
  pid: number;
  program: string;
}

/** The variable that names the run in the environment of all its processes. A run within a run appends its name. */
export const RUN_VARIABLE = "AGENTX_RUN";

/** Number of looks, because killed processes may take a moment to end. */
const LOOKS = 5;
const PAUSE_MS = 40;

/** Returns the processes of a run that are still running, sorted by process id. */
export async function findLeftovers(run: string): Promise<Leftover[]> {
  let found = look(run);
  for (let turn = 1; turn < LOOKS && found.length > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    found = look(run);
  }
  return found;
}

/** Whether a run is still running, even if the process that began it is dead. `AgentCall.run` is the name of a run. */
export function isStillRunning(name: string): boolean {
  const variable = new RegExp(`\0${RUN_VARIABLE}=[^\0]*/${name}(?:[/\0]|$)`);
  return processIds().some((pid) => variable.test(`\0${readProcess(pid, "environ")}`));
}

function look(run: string): Leftover[] {
  const wanted = `\0${RUN_VARIABLE}=${run}`;
  return processIds()
    .filter((pid) => `\0${readProcess(pid, "environ")}`.includes(wanted))
    .map((pid) => ({ pid, program: readProcess(pid, "comm").trim() }));
}

function processIds(): number[] {
  const names = orElse([], () => sys.readDir("/proc"), "IO_ERROR"); // without /proc none are found
  return names.map(Number).filter(Number.isInteger).sort((a, b) => a - b);
}

/** Reads a file in `/proc`; empty for a process that has ended or belongs to another user. */
function readProcess(pid: number, file: string): string {
  return orElse("", () => sys.readTextFile(`/proc/${pid}/${file}`) ?? "", "IO_ERROR");
}
