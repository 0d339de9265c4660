// Makes working trees of our own, one for each step of a pipeline that an agent runs: `git worktree add` on the branch
// `agentx/N-STEP`. Everywhere else git writes only at a person's request. Nothing here touches the main checkout, its
// branch or its index.

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

/** Git reads the trees that others are just making, and fails; a large one takes its time. */
const LOCKS = new FileLockManager({ maxWaitMs: 300_000 });

/** The step, and the commit below it. */
export interface StepTreeOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** A folder of the caller's checkout: the first step builds on its commit. */
  from: string;
  issueNumber: number;
  step: string;
  /** The steps before it, in their order: it builds on the branches of those that have one. */
  after: readonly string[];
  /** Whether to remove the uncommitted files of an earlier run. */
  isFresh: boolean;
  /**
   * Whether what its agent has committed is taken back as well: to its last start, or all of it where no step before
   * has a branch; left out where nothing is.
   */
  again?: "since its start" | "all";
  signal?: AbortSignal;
}

/**
 * Makes the working tree of a step, or brings it up to the steps before it, so the branch of the last step has the work
 * of all.
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
      // A person may have merged newer commits; what its agent has committed is not among them.
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

/** The user's hooks run where the work is merged. */
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** Commits some folders of the tree of a step, if anything in them has changed. */
export async function commitFolders(tree: StepTree, options: CommitFilesOptions): Promise<void> {
  await commitFiles(tree.path, { ...options, confinement: confinedTo(tree) });
}

/**
 * Stages all that is in the tree of a step.
 *
 * @returns the configuration of git there, and the first commit of the agent
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

/** Notes the starting point of a step's agent; its changes are compared with that. */
export async function noteStart(tree: StepTree, signal?: AbortSignal): Promise<void> {
  await gitIn(tree, { signal })("update-ref", stepStart(tree.branch), "HEAD");
}

/** @returns the files that were changed since, committed or not, relative to the working tree */
export async function changesIn(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const git = gitIn(tree, { signal });
  const said = [
    await git("diff", "--name-only", "-z", "--no-renames", SUBMODULES, stepStart(tree.branch)),
    await git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  return [...new Set(said.flatMap((text) => text.split("\0")))].filter((path) => path !== "")
    .sort();
}

/** Git would run in them; that none has moved is looked at before. */
const SUBMODULES = "--ignore-submodules=all";

/** Whether the tree is still on its branch: a commit elsewhere never gets a review. */
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
  const start = stepStart(tree.branch);
  if (await git("ls-tree", "--name-only", start, "--", file) === "") return undefined;
  return await git("cat-file", "blob", `${start}:./${file}`);
}

/** @returns the last commit of a step that changed a file, as a hash and a subject; empty if only others did, up to `since` */
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

/** Git marks a tree as locked until it is complete: a tree that a kill left incomplete is made anew. */
export function isWhole({ top }: StepTree): boolean {
  const own = gitFoldersOf({ top })?.own;
  if (own === undefined || leadsTo(`${top}/.git`) !== own) return false;
  return sys.readTextFile(`${own}/locked`)?.trim() !== "initializing";
}

/** One process at a time runs the step: a lock that a killed git left behind has no owner. */
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
