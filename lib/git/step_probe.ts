// Runs a test without the change that it tests: for a moment, the tree of a step holds the agent's starting point,
// except for some files. A tree of git keeps the replaced files; the next process after a crash puts them back.

import { gitIn } from "./step_git.ts";
import { markOf, stepStart, type StepTree } from "./step_names.ts";
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
    await git("read-tree", "-u", "--reset", stepStart(tree.branch));
    await git("checkout", "--quiet", whole, "--", ...kept);
    return await run();
  } finally {
    await restore(tree);
  }
}

/** Puts back the files that {@linkcode onStart} took away and left out; returns whether there were some. */
export async function restore(tree: StepTree): Promise<boolean> {
  const git = gitIn(tree);
  const mark = markOf("whole", tree.branch);
  if (await git("for-each-ref", mark) === "") return false;
  await git("read-tree", "-u", "--reset", mark);
  await git("clean", "--quiet", "-ffd"); // what the run has left
  await git("update-ref", "-d", mark);
  return true;
}
