// Says how the work of an issue is seen and taken that agents have done.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import type { IssueStanding } from "../../pipeline/standing.ts";
import { finishedBranch } from "../../pipeline/unmerged.ts";

/** Names the commands while there are trees, once all steps are done. */
export function noteMerge(io: Io, { root }: { root: string }, standing: IssueStanding): void {
  const last = finishedBranch(root, standing);
  if (last === undefined) return;
  const { issueNumber } = standing;
  note(io, `#${issueNumber} is done. See its work with: git diff HEAD...${last}`);
  note(io, `merge it with: agentx workflow merge ${issueNumber}`);
}
