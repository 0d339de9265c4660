// Says how the work of an issue is taken that agents have done.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { stepBranch, treeOf } from "../../git/step_names.ts";
import { type Standing, stepsLeft } from "../../pipeline/standing.ts";
import { sys } from "../../sys/mod.ts";

/** Names the command while there are trees, once all steps are done. */
export function noteMerge(
  io: Io,
  { root }: { root: string },
  { issueNumber, steps }: Standing,
): void {
  const isTree = ({ step }: { step: string }) =>
    sys.lstat(`${root}/${treeOf(stepBranch(issueNumber, step))}`) !== undefined;
  if (stepsLeft(steps).length > 0 || !steps.some(isTree)) return;
  note(io, `#${issueNumber} is done. Merge its work with: agentx workflow merge ${issueNumber}`);
}
