// Notes on the tree of a step, stored as git objects below `refs/agentx/`: the document that holds a reply, and the
// files as the agent of the step left them.

import { gitIn } from "./step_git.ts";
import { markOf, type StepTree } from "./step_names.ts";
import { filesOf } from "./step_tree.ts";

/** Notes that a file holds the reply of an agent. */
export async function noteReply(
  tree: StepTree,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const git = gitIn(tree, { cwd: tree.path, signal });
  const blob = (await git("hash-object", "-w", "--", file)).trim();
  await git("update-ref", markOf("reply", tree.branch), blob);
}

/** Whether a file still holds the text of the last reply, because nobody has edited it since. */
export async function isFromReply(
  tree: StepTree,
  file: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const git = gitIn(tree, { cwd: tree.path, signal });
  const blob = await git("for-each-ref", "--format=%(objectname)", markOf("reply", tree.branch));
  return blob !== "" && blob === await git("hash-object", "--", file);
}

/** Notes the files of a tree as its agent leaves them. */
export async function noteLeft(tree: StepTree, signal?: AbortSignal): Promise<void> {
  const files = await filesOf(tree, signal);
  await gitIn(tree, { signal })("update-ref", markOf("left", tree.branch), files);
}

/** Whether somebody has changed files since the agent of the tree left them. */
export async function isChangedSince(tree: StepTree, signal?: AbortSignal): Promise<boolean> {
  const mark = markOf("left", tree.branch);
  const left = await gitIn(tree, { signal })("for-each-ref", "--format=%(objectname)", mark);
  return left !== "" && left.trim() !== await filesOf(tree, signal);
}
