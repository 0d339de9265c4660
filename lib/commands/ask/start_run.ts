// Starts the run of a question that does not block, as a process that outlives this one.

import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import type { ClarificationRouter } from "../../clarify/hub/router.ts";
import { askerOf, issueNumberOf } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { hasCode } from "../../base/errors.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Starts the run, and notes who runs the question, or why nobody does. */
export function startRun(
  { io }: Context,
  { clarification: { id, to, ...record } }: ClarificationOutcome,
  { router, runs, tree }: Pick<Workspace, "runs" | "tree"> & { router: ClarificationRouter },
): void {
  if (runs.look(id).state !== "nobody") return;
  if (runs.isServed(to)) {
    note(io, `agentx serve runs it: ${id}`);
    return;
  }
  try {
    const from = askerOf({ ...record, id, to });
    router.checkRuns(to, { from, issueNumber: issueNumberOf(id), id });
  } catch (error) {
    if (!hasCode(error, "GATE_REFUSED")) throw error;
    note(io, `nothing was run: ${error.summary}; later: agentx clarify run ${id}`);
    return;
  }
  if (io.startAgain === undefined) return;
  io.startAgain(["--root", tree, "__run", id]);
  note(io, `${id} asks ${to} in the background; the answer comes with your next hook`);
}
