// Says how the work of an issue is seen and taken that agents have done.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { stepBranch, treeOf } from "../../git/step_names.ts";
import { type Standing, stepsLeft } from "../../pipeline/standing.ts";
import { sys } from "../../sys/mod.ts";

/** Names the commands while there are trees, once all steps are done. */
export function noteMerge(
  io: Io,
  { root }: { root: string },
  { issueNumber, steps }: Standing,
): void {
  if (stepsLeft(steps).length > 0) return;
  const last = steps.filter(({ state }) => state === "done")
    .map(({ step }) => stepBranch(issueNumber, step))
    .findLast((branch) => sys.lstat(`${root}/${treeOf(branch)}`) !== undefined);
  if (last === undefined) return;
  note(io, `#${issueNumber} is done. See its work with: git diff HEAD...${last}`);
  note(io, `merge it with: agentx workflow merge ${issueNumber}`);
}
