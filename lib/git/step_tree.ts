// Working trees of our own, one for each step of a pipeline that an agent runs: `git worktree add` on the branch
// `agentx/N-STEP`. It is the one place where git is made to write anything but what a person asked for:
// nothing in it touches the main checkout, its branch or its index.

import { FileLockManager } from "../lock/lock_manager.ts";
import { sys } from "../sys/mod.ts";
import { checkoutNamedBy, repositoryAbove } from "./repository.ts";
import { gitError, runGit } from "./run_git.ts";
import { mergeBranch, stepBranches } from "./step_branches.ts";
import { startOf, stepBranch, treeOf, TREES } from "./step_names.ts";
import { headCommit } from "./tracked_paths.ts";

/** Git reads the trees that others are just making, and fails; a large one takes its time. */
const LOCKS = new FileLockManager({ maxWaitMs: 300_000 });

/** Where a step runs. */
export interface StepTree {
  /** The working tree. */
  top: string;
  /** In it, what the folder with `.agentx/` is in the main checkout. */
  path: string;
  /** Such as `agentx/42-implement`. */
  branch: string;
}

/** Which step, and what it builds on. */
export interface StepTreeOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  issueNumber: number;
  step: string;
  /** The steps before it, in their order: it builds on the branches of those that have one. */
  after: readonly string[];
  /** Whether what an earlier run left uncommitted is put back, in files that git tracks. */
  isFresh: boolean;
  signal?: AbortSignal;
}

/**
 * Makes the working tree of a step, or brings it to what it builds on: so the branch of the last step has the work
 * of all.
 *
 * @throws {AgentxError} `IO_ERROR` where there is no repository with a commit, or git refuses
 */
export async function makeStepTree(options: StepTreeOptions): Promise<StepTree> {
  const { root, issueNumber, step, after, isFresh, signal } = options;
  const tree = stepTree(root, issueNumber, step);
  const checkout = checkoutOf(root);
  const git = gitIn(checkout, signal);
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const before = after.map((each) => stepBranch(issueNumber, each))
    .filter((branch) => branches.includes(branch));
  if (!isWhole(tree)) {
    const way = branches.includes(tree.branch)
      ? [tree.top, tree.branch]
      : ["-b", tree.branch, tree.top, before.at(-1) ?? "HEAD"];
    await LOCKS.withSafeLock(`${root}/${TREES}`, "git", async () => {
      if (sys.lstat(tree.top) !== undefined) sys.removeFolder(tree.top);
      await git("worktree", "add", "--force", "--force", "--quiet", ...way);
    });
  }
  unlock(tree);
  const inTree = gitIn(tree.top, signal);
  if (isFresh) await inTree("reset", "--quiet", "--hard");
  for (const branch of before.reverse()) {
    await mergeBranch(branch, { checkout: tree.top, signal });
  }
  sys.makeDir(tree.path);
  return tree;
}

/** @returns where the tree of a step is, whether it was made or not */
export function stepTree(root: string, issueNumber: number, step: string): StepTree {
  const branch = stepBranch(issueNumber, step);
  const top = `${root}/${treeOf(branch)}`;
  const { checkout } = repositoryAbove(root) ?? { checkout: root };
  return { top, path: `${top}${root.slice(checkout.length)}`, branch };
}

/** Commits all that is in the tree of a step, if that is anything. */
export async function commitTree(
  tree: StepTree,
  message: string,
  signal?: AbortSignal,
): Promise<void> {
  unlock(tree);
  const git = gitIn(tree.top, signal);
  await git("add", "--all");
  if (await git("status", "--porcelain") === "") return;
  await git("commit", "--quiet", `--message=${message}`);
}

/** Notes what the agent of a step finds: what it changes is compared with that. */
export async function noteStart({ top, branch }: StepTree, signal?: AbortSignal): Promise<void> {
  await gitIn(top, signal)("update-ref", startOf(branch), "HEAD");
}

/** @returns the files that were changed since, committed or not, relative to the working tree */
export async function changesIn(
  { top, branch }: StepTree,
  signal?: AbortSignal,
): Promise<string[]> {
  const git = gitIn(top, signal);
  const said = [
    await git("diff", "--name-only", "-z", "--no-renames", startOf(branch)),
    await git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  return [...new Set(said.flatMap((text) => text.split("\0")))].filter((path) => path !== "")
    .sort();
}

/** Whether the tree is still on its branch: what is committed elsewhere is on no way to a review. */
export async function isOnBranch(
  { top, branch }: StepTree,
  signal?: AbortSignal,
): Promise<boolean> {
  const now = await gitIn(top, signal)("rev-parse", "--abbrev-ref", "HEAD");
  return now.trim() === branch;
}

/** @returns a file as the agent found it; undefined where there was none */
export async function atStart(
  { path, branch }: StepTree,
  file: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const git = gitIn(path, signal);
  if (await git("ls-tree", "--name-only", startOf(branch), "--", file) === "") return undefined;
  return await git("show", `${startOf(branch)}:./${file}`);
}

function gitIn(path: string, signal?: AbortSignal) {
  return (...args: string[]) => runGit(path, args, { action: "prepare a step", signal });
}

/** Git notes a tree as locked until all of it is there: what a kill has left is made anew. */
function isWhole({ top }: StepTree): boolean {
  const repository = repositoryAbove(top);
  if (repository?.checkout !== top) return false;
  return sys.readTextFile(`${repository.gitFolder}/locked`)?.trim() !== "initializing";
}

/** The step is run by one process at a time: what a killed git has left is nobody's. */
function unlock({ top }: StepTree): void {
  const repository = repositoryAbove(top);
  if (repository?.checkout === top) sys.removeFile(`${repository.gitFolder}/index.lock`);
}

function checkoutOf(root: string): string {
  const repository = repositoryAbove(root);
  if (repository === undefined || headCommit(repository) === undefined) {
    throw gitError(root, "run a step", "it needs a git repository with a commit");
  }
  return checkoutNamedBy(repository.sharedFolder) ?? repository.checkout;
}
