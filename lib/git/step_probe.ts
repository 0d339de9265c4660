// Runs a test without the change that it tests. During the run, the tree of a step holds the agent's starting point,
// except for some files. A git tree object keeps the replaced files; after a crash, the next process puts them back.

import { gitIn } from "./step_git.ts";
import { markOf, stepStart, type StepTree } from "./step_names.ts";
import { filesOf } from "./step_tree.ts";

/**
 * Runs something on the starting point of a step's agent, with some of the agent's files put in.
 *
 * @param kept the agent's files to keep, relative to the top of the tree
 * @throws {AgentxError} `IO_ERROR` if git refuses; also throws the errors of `run`
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
    await git("read-tree", "-u", "--reset", stepStart(tree.branch));
    await git("checkout", "--quiet", whole, "--", ...kept);
    return await run();
  } finally {
    await restore(tree);
  }
}

/**
 * Puts back the files that {@linkcode onStart} removed, if a run did not end; returns whether there were such files.
 */
export async function restore(tree: StepTree): Promise<boolean> {
  const git = gitIn(tree);
  const mark = markOf("whole", tree.branch);
  if (await git("for-each-ref", mark) === "") return false;
  await git("read-tree", "-u", "--reset", mark);
  await git("clean", "--quiet", "-ffd"); // removes files that the run has left
  await git("update-ref", "-d", mark);
  return true;
}
