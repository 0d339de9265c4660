// Shows what a test says without the change that it is for: for a moment, the tree of a step holds what its agent
// found, but for some files. What it held is kept as a tree of git; whoever comes after a crash puts it back.

import { gitIn } from "./step_git.ts";
import { markOf, startOf, type StepTree } from "./step_names.ts";
import { filesOf } from "./step_tree.ts";

/**
 * Runs something on what the agent of a step found, with some of its files put in.
 *
 * @param kept the files, relative to the top of the tree
 * @throws {AgentxError} `IO_ERROR` where git refuses; what `run` throws
 */
export async function onStart<T>(
  tree: StepTree,
  kept: readonly string[],
  run: () => Promise<T>,
): Promise<T> {
  const git = gitIn(tree);
  const whole = await filesOf(tree);
  await git("update-ref", markOf("whole", tree.branch), whole);
  try {
    await git("read-tree", "-u", "--reset", startOf(tree.branch));
    await git("checkout", "--quiet", whole, "--", ...kept);
    return await run();
  } finally {
    await restore(tree);
  }
}

/** Puts back what {@linkcode onStart} has taken away, and with it what was left out; returns whether it did. */
export async function restore(tree: StepTree): Promise<boolean> {
  const git = gitIn(tree);
  const mark = markOf("whole", tree.branch);
  if (await git("for-each-ref", mark) === "") return false;
  await git("read-tree", "-u", "--reset", mark);
  await git("clean", "--quiet", "-ffd"); // what the run has left
  await git("update-ref", "-d", mark);
  return true;
}
