// Notes how to see and merge the finished work of an issue's agents.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import type { IssueStanding } from "../../pipeline/standing.ts";
import { finishedBranch } from "../../pipeline/unmerged.ts";

/** Notes the commands once all steps are done, as long as the working trees of the steps exist. */
export function noteMerge(io: Io, { root }: { root: string }, standing: IssueStanding): void {
  const last = finishedBranch(root, standing);
  if (last === undefined) return;
  const { issueNumber } = standing;
  note(io, `#${issueNumber} is done. See its work with: git diff HEAD...${last}`);
  note(io, `merge it with: agentx workflow merge ${issueNumber}`);
}
