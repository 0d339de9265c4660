// Notes scheduled tasks with a wrong command line before they are due.

import type { CommandEntry } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { refusalOfLine } from "../../cli/run_line.ts";
import { SCHEDULES_PATH } from "../../config/packages.ts";
import type { ScheduledTask } from "../../schedule/scheduler.ts";

export async function noteWrongLines(
  io: Io,
  tasks: readonly Pick<ScheduledTask, "id" | "run">[],
  commands: readonly CommandEntry[],
): Promise<void> {
  for (const { id, run } of tasks) {
    const error = await refusalOfLine(run, commands);
    if (error !== undefined) {
      note(io, `the task ${id} of ${SCHEDULES_PATH} fails: ${error.oneLine}`);
    }
  }
}
