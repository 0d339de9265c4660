// Finds programs that an agent leaves running after its end, because they left the process group that is
// killed with the agent (`setsid`, a daemon). All processes of a run inherit a variable that identifies
// them. They are reported, not killed: others may use them by now, as with a build daemon.
//
// Not found: a program that has dropped the variable, one of another user, and anything where there
// is no readable `/proc` (macOS; Deno without `-A`).

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

export interface Leftover {
  pid: number;
  program: string;
}

/** Names the run in the environment of all its processes; a run within a run adds to it. */
export const RUN_VARIABLE = "AGENTX_RUN";

/** Killed processes may take a moment to end. */
const LOOKS = 5;
const PAUSE_MS = 40;

/** The processes of a run that are still running, by process id. */
export async function findLeftovers(run: string): Promise<Leftover[]> {
  let found = look(run);
  for (let turn = 1; turn < LOOKS && found.length > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    found = look(run);
  }
  return found;
}

/**
 * Whether a run is still running, though its beginner may be dead. For its name, see
 * `AgentCall.run`.
 */
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
  const names = orElse([], () => sys.readDir("/proc"), "IO_ERROR"); // then nothing is known
  return names.map(Number).filter(Number.isInteger).sort((a, b) => a - b);
}

/** Empty for a process that has ended, or that belongs to another user. */
function readProcess(pid: number, file: string): string {
  return orElse("", () => sys.readTextFile(`/proc/${pid}/${file}`) ?? "", "IO_ERROR");
}
