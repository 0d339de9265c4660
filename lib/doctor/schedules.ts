// Checks the scheduled tasks: whether their file can be read, and their command lines are valid.

import type { CommandEntry } from "../cli/command.ts";
import { refusalOfLine } from "../cli/run_line.ts";
import { SCHEDULES_PATH } from "../config/packages.ts";
import { readSchedules, type SchedulerOptions } from "../schedule/scheduler.ts";
import { fail, type Finding, ok } from "./finding.ts";

/** Returns a finding for each task with an invalid command line. Throws `INVALID_CONFIG`. */
export async function examineSchedules(
  where: Pick<SchedulerOptions, "root" | "locks">,
  commands: readonly CommandEntry[],
): Promise<Finding[]> {
  const tasks = Object.entries(readSchedules(where));
  const findings: Finding[] = [];
  for (const [id, { run }] of tasks) {
    const error = await refusalOfLine(run, commands);
    if (error === undefined) continue;
    const next = `Correct its "run" in ${SCHEDULES_PATH}. ${error.next}`;
    findings.push(fail("schedules", `The task ${id} fails: ${error.summary}`, next));
  }
  if (findings.length > 0 || tasks.length === 0) return findings;
  return [ok("schedules", `${tasks.length} of ${SCHEDULES_PATH} can be read`)];
}
