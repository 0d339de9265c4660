// Makes a working tree for each step of a pipeline that an agent runs: `git worktree add` on the branch
// `agentx/N-STEP`. Everywhere else, agentx writes with git only when a person asks for it. Nothing here touches the
// main checkout, its branch or its index.

import { FileLockManager } from "../lock/lock_manager.ts";
import { sys } from "../sys/mod.ts";
import { commitFiles, type CommitFilesOptions } from "./commit_files.ts";
import { checkoutNamedBy, repositoryAbove } from "./repository.ts";
import { gitError, runGit } from "./run_git.ts";
import { mergeBranch, stepBranches } from "./step_branches.ts";
import { confinedTo, gitFoldersOf, gitIn, leadsTo } from "./step_git.ts";
import { forgetSettings } from "./step_guard.ts";
import { stepBranch, stepStart, type StepTree, stepTree, TREES } from "./step_names.ts";
import { headCommit } from "./tracked_paths.ts";

/**
 * Git fails if it reads a tree that another process is just adding. The wait is long, because a large tree takes time.
 */
const LOCKS = new FileLockManager({ maxWaitMs: 300_000 });

/** The step, and the commit to build on. */
export interface StepTreeOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** A folder of the caller's checkout; the first step builds on the commit of that checkout. */
  from: string;
  issueNumber: number;
  step: string;
  /** The earlier steps, in order. This step builds on the branches of all earlier steps that have a branch. */
  after: readonly string[];
  /** Whether to remove the uncommitted files of an earlier run. */
  isFresh: boolean;
  /**
   * Which commits of the step's agent to discard as well: the commits since its last start, or all its commits if no
   * earlier step has a branch. If absent, no commit is discarded.
   */
  again?: "since its start" | "all";
  signal?: AbortSignal;
}

/**
 * Makes the working tree of a step, or updates it with the work of the earlier steps, so the branch of the last step
 * has the work of all.
 *
 * @throws {AgentxError} `IO_ERROR` if there is no repository with a commit, or git refuses
 */
export async function makeStepTree(options: StepTreeOptions): Promise<StepTree> {
  const { root, from, issueNumber, step, after, isFresh, again, signal } = options;
  const tree = stepTree(root, issueNumber, step);
  const checkout = checkoutOf(root);
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const before = after.map((each) => stepBranch(issueNumber, each))
    .filter((branch) => branches.includes(branch));
  const present = commitOf(from) ?? "HEAD";
  if (!isWhole(tree)) {
    const way = branches.includes(tree.branch)
      ? [tree.top, tree.branch]
      : ["-b", tree.branch, tree.top, before.at(-1) ?? present];
    await LOCKS.withSafeLock(`${root}/${TREES}`, "git", async () => {
      if (sys.lstat(tree.top) !== undefined) sys.removeFolder(tree.top);
      const args = [...NO_HOOKS, "worktree", "add", "--force", "--force", "--quiet", ...way];
      await runGit(checkout, args, { action: "prepare a step", signal });
    });
  }
  unlock(tree);
  forgetSettings(tree);
  const inTree = gitIn(tree, { signal });
  const taken: string[] = [];
  if (isFresh || again !== undefined) {
    let base = "HEAD";
    if (again === "all" && before.length === 0) base = present;
    else if (again !== undefined) {
      const start = await inTree("for-each-ref", stepStart(tree.branch));
      if (start !== "") base = stepStart(tree.branch);
      // A person may have merged newer commits. The discarded commits of the agent are not among them.
      taken.push((await inTree("merge-base", "HEAD", present)).trim());
    }
    await inTree("reset", "--quiet", "--hard", base);
    await inTree("clean", "--quiet", "-ffd");
  }
  for (const branch of [...before.reverse(), ...taken]) {
    await mergeBranch(branch, { checkout: tree.top, confinement: confinedTo(tree), signal });
  }
  sys.makeDir(tree.path);
  return tree;
}

/** No hook runs here, because the user's hooks run when the work is merged. */
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** Commits some folders in the tree of a step, if they have changed. */
export async function commitFolders(tree: StepTree, options: CommitFilesOptions): Promise<void> {
  await commitFiles(tree.path, { ...options, confinement: confinedTo(tree) });
}

/**
 * Stages all files in the tree of a step.
 *
 * @returns a function that runs git in the tree, and the reference to the commit on which the agent started
 */
export async function stageTree(
  tree: StepTree,
  signal?: AbortSignal,
): Promise<{ git: (...args: string[]) => Promise<string>; since: string }> {
  unlock(tree);
  const git = gitIn(tree, { signal });
  await git("add", "--all");
  return { git, since: stepStart(tree.branch) };
}

/** Commits all changes in the tree of a step, if there are any. */
export async function commitTree(
  tree: StepTree,
  message: string,
  signal?: AbortSignal,
): Promise<void> {
  const { git } = await stageTree(tree, signal);
  if (await git("diff", "--cached", "--name-only", SUBMODULES, "HEAD") === "") return;
  await git("commit", "--quiet", `--message=${message}`);
}

/** @returns the hash of a git tree object with all files in the tree of a step, except ignored ones */
export async function filesOf(tree: StepTree, signal?: AbortSignal): Promise<string> {
  const { git } = await stageTree(tree, signal);
  return (await git("write-tree")).trim();
}

/** Notes the starting point of a step's agent, with which its changes are compared. */
export async function noteStart(tree: StepTree, signal?: AbortSignal): Promise<void> {
  await gitIn(tree, { signal })("update-ref", stepStart(tree.branch), "HEAD");
}

/** @returns the files that changed since the start, committed or not, relative to the working tree */
export async function changesIn(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const git = gitIn(tree, { signal });
  const said = [
    await git("diff", "--name-only", "-z", "--no-renames", SUBMODULES, stepStart(tree.branch)),
    await git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  return [...new Set(said.flatMap((text) => text.split("\0")))].filter((path) => path !== "")
    .sort();
}

/** Otherwise git would run in the submodules. An earlier check ensures that no submodule has moved. */
const SUBMODULES = "--ignore-submodules=all";

/** Whether the tree is still on its branch. A commit on another branch would never be reviewed. */
export async function isOnBranch(tree: StepTree, signal?: AbortSignal): Promise<boolean> {
  const now = await gitIn(tree, { signal })("rev-parse", "--abbrev-ref", "HEAD");
  return now.trim() === tree.branch;
}

/** @returns a file as the agent found it; undefined if it did not exist */
export async function atStart(
  tree: StepTree,
  file: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const git = gitIn(tree, { cwd: tree.path, signal });
  const start = stepStart(tree.branch);
  if (await git("ls-tree", "--name-only", start, "--", file) === "") return undefined;
  return await git("cat-file", "blob", `${start}:./${file}`);
}

/**
 * @returns the last commit that changed a file, as a hash and a subject; commits reachable from `since` do not count;
 *   empty if there is none
 */
export async function lastChange(
  tree: StepTree,
  file: string,
  { since, signal }: { since?: string; signal?: AbortSignal },
): Promise<string> {
  const git = gitIn(tree, { cwd: tree.path, signal });
  const log = ["--literal-pathspecs", "log", "-1", "--format=%h %s", "HEAD"];
  const others = since === undefined ? [] : ["--not", since];
  return (await git(...log, ...others, "--", `./${file}`)).trim();
}

/**
 * Whether a tree is complete. Git marks a tree as locked until it is complete; a tree that a kill left incomplete is
 * made again.
 */
export function isWhole({ top }: StepTree): boolean {
  const own = gitFoldersOf({ top })?.own;
  if (own === undefined || leadsTo(`${top}/.git`) !== own) return false;
  return sys.readTextFile(`${own}/locked`)?.trim() !== "initializing";
}

/** Removes the index lock. Only one process at a time runs the step, so the lock is left over from a killed git. */
function unlock(tree: StepTree): void {
  const folders = gitFoldersOf(tree);
  if (folders !== undefined) sys.removeFile(`${folders.own}/index.lock`);
}

function commitOf(folder: string): string | undefined {
  const repository = repositoryAbove(folder);
  return repository && headCommit(repository);
}

/**
 * @returns the checkout that the trees of steps belong to
 * @throws {AgentxError} `IO_ERROR` if there is no repository with a commit
 */
export function checkoutOf(root: string): string {
  const repository = repositoryAbove(root);
  if (repository === undefined || headCommit(repository) === undefined) {
    throw gitError(root, "run a step", "it needs a git repository with a commit");
  }
  return checkoutNamedBy(repository.sharedFolder) ?? repository.checkout;
}
