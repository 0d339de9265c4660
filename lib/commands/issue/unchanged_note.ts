// Notes that a command changed nothing in an issue: an undo would take back the change before.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import type { Issue } from "../../work/issue/issue.ts";

/** @param changed the issue as the command left it */
export function noteUnchanged(io: Io, { updated }: Issue, changed: Issue): void {
  if (changed.updated !== updated) return;
  const { number } = changed;
  note(
    io,
    `nothing of #${number} changed; agentx issue undo ${number} takes back what was done before`,
  );
}
