// Working trees of our own, one for each step of a pipeline that an agent runs: `git worktree add` on the branch
// `agentx/N-STEP`. It is the one place where git is made to write anything but what a person asked for:
// nothing in it touches the main checkout, its branch or its index.

import { FileLockManager } from "../lock/lock_manager.ts";
import { sys } from "../sys/mod.ts";
import { commitFiles, type CommitFilesOptions } from "./commit_files.ts";
import { checkoutNamedBy, repositoryAbove } from "./repository.ts";
import { gitError, runGit } from "./run_git.ts";
import { mergeBranch, stepBranches } from "./step_branches.ts";
import { confinedTo, gitFoldersOf, gitIn, leadsTo } from "./step_git.ts";
import { forgetSettings } from "./step_guard.ts";
import { startOf, stepBranch, type StepTree, stepTree, TREES } from "./step_names.ts";
import { headCommit } from "./tracked_paths.ts";

/** Git reads the trees that others are just making, and fails; a large one takes its time. */
const LOCKS = new FileLockManager({ maxWaitMs: 300_000 });

/** Which step, and what it builds on. */
export interface StepTreeOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** A folder of the caller's checkout: the first step builds on its commit. */
  from: string;
  issueNumber: number;
  step: string;
  /** The steps before it, in their order: it builds on the branches of those that have one. */
  after: readonly string[];
  /** Whether what an earlier run left uncommitted is removed. */
  isFresh: boolean;
  /** Whether what its agent has committed since its last start is taken back as well. */
  isAgain?: boolean;
  signal?: AbortSignal;
}

/**
 * Makes the working tree of a step, or brings it to what it builds on: so the branch of the last step has the work
 * of all.
 *
 * @throws {AgentxError} `IO_ERROR` where there is no repository with a commit, or git refuses
 */
export async function makeStepTree(options: StepTreeOptions): Promise<StepTree> {
  const { root, from, issueNumber, step, after, isFresh, isAgain = false, signal } = options;
  const tree = stepTree(root, issueNumber, step);
  const checkout = checkoutOf(root);
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const before = after.map((each) => stepBranch(issueNumber, each))
    .filter((branch) => branches.includes(branch));
  if (!isWhole(tree)) {
    const way = branches.includes(tree.branch)
      ? [tree.top, tree.branch]
      : ["-b", tree.branch, tree.top, before.at(-1) ?? commitOf(from) ?? "HEAD"];
    await LOCKS.withSafeLock(`${root}/${TREES}`, "git", async () => {
      if (sys.lstat(tree.top) !== undefined) sys.removeFolder(tree.top);
      const args = [...NO_HOOKS, "worktree", "add", "--force", "--force", "--quiet", ...way];
      await runGit(checkout, args, { action: "prepare a step", signal });
    });
  }
  unlock(tree);
  forgetSettings(tree);
  const inTree = gitIn(tree, { signal });
  if (isFresh || isAgain) {
    const start = isAgain ? await inTree("for-each-ref", startOf(tree.branch)) : "";
    await inTree("reset", "--quiet", "--hard", start === "" ? "HEAD" : startOf(tree.branch));
    await inTree("clean", "--quiet", "-ffd");
  }
  for (const branch of before.reverse()) {
    await mergeBranch(branch, { checkout: tree.top, confinement: confinedTo(tree), signal });
  }
  sys.makeDir(tree.path);
  return tree;
}

/** The user's hooks run where the work is merged. */
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** Commits some folders of the tree of a step, if anything in them has changed. */
export async function commitFolders(tree: StepTree, options: CommitFilesOptions): Promise<void> {
  await commitFiles(tree.path, { ...options, confinement: confinedTo(tree) });
}

/**
 * Stages all that is in the tree of a step.
 *
 * @returns what git runs by there, and the commit that the agent found
 */
export async function stageTree(
  tree: StepTree,
  signal?: AbortSignal,
): Promise<{ git: (...args: string[]) => Promise<string>; since: string }> {
  unlock(tree);
  const git = gitIn(tree, { signal });
  await git("add", "--all");
  return { git, since: startOf(tree.branch) };
}

/** Commits all that is in the tree of a step, if that is anything. */
export async function commitTree(
  tree: StepTree,
  message: string,
  signal?: AbortSignal,
): Promise<void> {
  const { git } = await stageTree(tree, signal);
  if (await git("diff", "--cached", "--name-only", SUBMODULES, "HEAD") === "") return;
  await git("commit", "--quiet", `--message=${message}`);
}

/** @returns a tree of git with all that is in the tree of a step, but for what git ignores */
export async function filesOf(tree: StepTree, signal?: AbortSignal): Promise<string> {
  const { git } = await stageTree(tree, signal);
  return (await git("write-tree")).trim();
}

/** Notes what the agent of a step finds: what it changes is compared with that. */
export async function noteStart(tree: StepTree, signal?: AbortSignal): Promise<void> {
  await gitIn(tree, { signal })("update-ref", startOf(tree.branch), "HEAD");
}

/** @returns the files that were changed since, committed or not, relative to the working tree */
export async function changesIn(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const git = gitIn(tree, { signal });
  const said = [
    await git("diff", "--name-only", "-z", "--no-renames", SUBMODULES, startOf(tree.branch)),
    await git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  return [...new Set(said.flatMap((text) => text.split("\0")))].filter((path) => path !== "")
    .sort();
}

/** Git would run in them; that none has moved is looked at before. */
const SUBMODULES = "--ignore-submodules=all";

/** Whether the tree is still on its branch: what is committed elsewhere is on no way to a review. */
export async function isOnBranch(tree: StepTree, signal?: AbortSignal): Promise<boolean> {
  const now = await gitIn(tree, { signal })("rev-parse", "--abbrev-ref", "HEAD");
  return now.trim() === tree.branch;
}

/** @returns a file as the agent found it; undefined where there was none */
export async function atStart(
  tree: StepTree,
  file: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const git = gitIn(tree, { cwd: tree.path, signal });
  const start = startOf(tree.branch);
  if (await git("ls-tree", "--name-only", start, "--", file) === "") return undefined;
  return await git("cat-file", "blob", `${start}:./${file}`);
}

/** Git notes a tree as locked until all of it is there: what a kill has left is made anew. */
export function isWhole({ top }: StepTree): boolean {
  const own = gitFoldersOf({ top })?.own;
  if (own === undefined || leadsTo(`${top}/.git`) !== own) return false;
  return sys.readTextFile(`${own}/locked`)?.trim() !== "initializing";
}

/** The step is run by one process at a time: what a killed git has left is nobody's. */
function unlock(tree: StepTree): void {
  const folders = gitFoldersOf(tree);
  if (folders !== undefined) sys.removeFile(`${folders.own}/index.lock`);
}

function commitOf(folder: string): string | undefined {
  const repository = repositoryAbove(folder);
  return repository && headCommit(repository);
}

function checkoutOf(root: string): string {
  const repository = repositoryAbove(root);
  if (repository === undefined || headCommit(repository) === undefined) {
    throw gitError(root, "run a step", "it needs a git repository with a commit");
  }
  return checkoutNamedBy(repository.sharedFolder) ?? repository.checkout;
}
