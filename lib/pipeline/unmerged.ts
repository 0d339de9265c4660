// Finds issues with work of agents that is done but not merged.

import { repositoryAbove } from "../git/repository.ts";
import { LOOKS_ONLY } from "../git/run_git.ts";
import { stepBranches } from "../git/step_branches.ts";
import { stepBranch, treeOf, TREES } from "../git/step_names.ts";
import { sys } from "../sys/mod.ts";
import type { Issue } from "../work/issue/issue.ts";
import type { MergeParts } from "./merge_work.ts";
import { type IssueStanding, stepsLeft } from "./standing.ts";

/** Returns the branch with all work of a finished issue that still has its trees; undefined for other issues. */
export function finishedBranch(
  root: string,
  { issueNumber, steps }: IssueStanding,
): string | undefined {
  if (stepsLeft(steps).length > 0) return undefined;
  return steps.filter(({ state }) => state === "done")
    .map(({ step }) => stepBranch(issueNumber, step))
    .findLast((branch) => sys.lstat(`${root}/${treeOf(branch)}`) !== undefined);
}

/**
 * Returns the issues that wait for `agentx workflow merge`. This runs git only once, and only if trees of steps exist.
 */
export async function unmergedIssues(
  issues: readonly Issue[],
  { root, tree, standing, ...parts }: Pick<MergeParts, "root" | "tree" | "standing" | "issues">,
): Promise<Issue[]> {
  const begun = new Set(sys.readDir(`${root}/${TREES}`).map((name) => Number.parseInt(name)));
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return [];
  const finished: Array<{ issue: Issue; branch: string }> = [];
  for (const issue of issues.filter(({ number }) => begun.has(number))) {
    const known = parts.issues.getKnown(issue.number);
    const branch = finishedBranch(root, (await standing(known)).standing);
    if (branch !== undefined) finished.push({ issue, branch });
  }
  if (finished.length === 0) return [];
  const left = await stepBranches("*", { checkout, confinement: LOOKS_ONLY, isMerged: false });
  return finished.filter(({ branch }) => left.includes(branch)).map(({ issue }) => issue);
}
