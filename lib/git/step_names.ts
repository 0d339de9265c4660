// How a step, its branch and its tree are named.

import { repositoryAbove } from "./repository.ts";

/** Below the folder that holds `.agentx/`: the working trees of steps. */
export const TREES = ".agentx/state/worktrees";

const BRANCHES = "agentx/";

/** Where a step runs. */
export interface StepTree {
  /** The working tree. */
  top: string;
  /** In it, what the folder with `.agentx/` is in the main checkout. */
  path: string;
  /** Such as `agentx/42-implement`. */
  branch: string;
}

/** A step in names, such as `42-implement`. */
export function stepName(issueNumber: number, step: string): string {
  return `${issueNumber}-${step.replaceAll(/[^\w-]/g, "-")}`;
}

/** Such as `agentx/42-implement`. */
export function stepBranch(issueNumber: number, step: string): string {
  return `${BRANCHES}${stepName(issueNumber, step)}`;
}

/** The tree of a branch, relative to the folder that holds `.agentx/`. */
export function treeOf(branch: string): string {
  return `${TREES}/${branch.slice(BRANCHES.length)}`;
}

/** The branch as the agent of a step found it. */
export function stepStart(branch: string): string {
  return markOf("start", branch);
}

/** All that is noted of a step beside its branch. */
export const MARKS = ["start", "reply", "left", "whole"] as const;

/** The name under which git keeps it. */
export function markOf(mark: typeof MARKS[number], branch: string): string {
  return `refs/agentx/${mark}/${branch.slice(BRANCHES.length)}`;
}

/** @returns where the tree of a step is, whether it was made or not */
export function stepTree(root: string, issueNumber: number, step: string): StepTree {
  const branch = stepBranch(issueNumber, step);
  const top = `${root}/${treeOf(branch)}`;
  const { checkout } = repositoryAbove(root) ?? { checkout: root };
  return { top, path: `${top}${root.slice(checkout.length)}`, branch };
}
