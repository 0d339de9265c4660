// The names of a step, of its branch and of its tree.

import { repositoryAbove } from "./repository.ts";

/** The folder of the step trees, relative to the folder that holds `.agentx/`. */
export const TREES = ".agentx/state/worktrees";

const BRANCHES = "agentx/";

/** The place where a step runs. */
export interface StepTree {
  /** The top of the working tree. */
  top: string;
  /** The folder in the working tree that corresponds to the folder with `.agentx/` in the main checkout. */
  path: string;
  /** Such as `agentx/42-implement`. */
  branch: string;
}

/** Returns the name of a step, such as `42-implement`. */
export function stepName(issueNumber: number, step: string): string {
  return `${issueNumber}-${step.replaceAll(/[^\w-]/g, "-")}`;
}

/** Returns the branch of a step, such as `agentx/42-implement`. */
export function stepBranch(issueNumber: number, step: string): string {
  return `${BRANCHES}${stepName(issueNumber, step)}`;
}

/** Returns the tree of a branch, relative to the folder that holds `.agentx/`. */
export function treeOf(branch: string): string {
  return `${TREES}/${branch.slice(BRANCHES.length)}`;
}

/** Returns the reference to the commit on which the agent of a step started. */
export function stepStart(branch: string): string {
  return markOf("start", branch);
}

/** The kinds of notes on a step, besides its branch. */
export const MARKS = ["start", "reply", "left", "whole"] as const;

/** Returns the git reference that keeps a note. */
export function markOf(mark: typeof MARKS[number], branch: string): string {
  return `refs/agentx/${mark}/${branch.slice(BRANCHES.length)}`;
}

/** @returns the paths of a step's tree, whether the tree exists or not */
export function stepTree(root: string, issueNumber: number, step: string): StepTree {
  const branch = stepBranch(issueNumber, step);
  const top = `${root}/${treeOf(branch)}`;
  const { checkout } = repositoryAbove(root) ?? { checkout: root };
  return { top, path: `${top}${root.slice(checkout.length)}`, branch };
}
