// Removes files from the tree of a step that a host would load as code. Git keeps these files in each commit and shows
// no change. Also finds files of a tree that git does not show at all.

import { sys } from "../sys/mod.ts";
import { runGit } from "./run_git.ts";
import { confinedTo, gitIn } from "./step_git.ts";
import { fileKindOf, filesBelow } from "./step_guard.ts";
import type { StepTree } from "./step_names.ts";

/**
 * Removes from a tree the tracked files that match a test. Files that an earlier run had left out are removed again.
 */
export async function leaveOut(
  tree: StepTree,
  isLeftOut: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const paths = (await tracked(tree, signal)).map(({ path }) => path).filter(isLeftOut);
  if (paths.length === 0) return;
  await runGit(tree.top, ["update-index", "--skip-worktree", "-z", "--stdin"], {
    action: "prepare a step",
    stdin: paths.map((path) => `${path}\0`).join(""),
    confinement: confinedTo(tree),
    signal,
  });
  for (const path of paths) {
    const file = `${tree.top}/${path}`;
    if (fileKindOf(file) !== undefined) sys.removeFile(file);
  }
}

/**
 * @returns the files at or below some paths for which git shows no change: files that were left out and exist again, or
 *   that git ignores
 */
export async function unseenAt(
  paths: readonly string[],
  tree: StepTree,
  signal?: AbortSignal,
): Promise<string[]> {
  const inTree = (await tracked(tree, signal)).filter(({ isLeftOut }) => !isLeftOut);
  const seen = new Set(inTree.map(({ path }) => path));
  return paths.flatMap((path) => filesBelow(`${tree.top}/${path}`))
    .filter((path) => fileKindOf(path) !== undefined)
    .map((path) => path.slice(tree.top.length + 1))
    .filter((path) => !seen.has(path));
}

async function tracked(
  tree: StepTree,
  signal?: AbortSignal,
): Promise<Array<{ path: string; isLeftOut: boolean }>> {
  const rows = (await gitIn(tree, { signal })("ls-files", "-t", "-z")).split("\0");
  return rows.filter((row) => row !== "")
    .map((row) => ({ path: row.slice(2), isLeftOut: row.startsWith("S") }));
}
