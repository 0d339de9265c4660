// The files of a step's tree that start a program. Those that the host of its agent loads by itself are left out of
// the tree; of the others, none may be otherwise than the agent found it, unless its role names it.

import { mayChange } from "../config/role_settings.ts";
import { leaveOut, unseenAt } from "../git/left_out.ts";
import { ancestors, prefixOf } from "../git/repository.ts";
import { leftForGit } from "../git/step_guard.ts";
import type { StepTree } from "../git/step_names.ts";
import { changesIn } from "../git/step_tree.ts";
import { isLoaded, isProtected, REPOSITORY_FILES } from "../hosts/repository_files.ts";
import type { StepParts } from "./step_task.ts";

type Parts = Pick<StepParts, "tree" | "hostsOf" | "signal">;

/** Leaves out the files that a host of the role would load as code. */
export async function leaveOutCode(
  tree: StepTree,
  role: string,
  parts: Parts,
): Promise<void> {
  const hosts = parts.hostsOf(role);
  const isCode = (path: string) =>
    hosts.length === 0 ? isLoaded(path) : hosts.some((host) => isLoaded(path, host));
  const isClosed = closedTo(role, tree, parts);
  await leaveOut(tree, (path) => isCode(path) && isClosed(path), parts.signal);
}

/** @returns a sentence for each thing in a tree that nothing may touch before a person has looked at it */
export async function leftIn(tree: StepTree, role: string, parts: Parts): Promise<string[]> {
  const left = await leftForGit(tree, parts.signal);
  if (left.length > 0) return left;
  const folders = ancestors(tree.path).filter((each) => `${each}/`.startsWith(`${tree.top}/`));
  const rows = REPOSITORY_FILES.filter(({ effect, path }) =>
    effect === "starts" && path !== ".git/"
  );
  const names = folders.flatMap((folder) =>
    rows.map(({ path }) => prefixOf(folder, tree.top) + path.replace(/\/$/, ""))
  );
  const unseen = await unseenAt(names, tree, parts.signal);
  const changed = new Set([...await changesIn(tree, parts.signal), ...unseen]);
  return [...changed].filter(closedTo(role, tree, parts)).sort()
    .map((path) => `${path} starts a program, and was changed; put it back`);
}

function closedTo(role: string, tree: StepTree, parts: Parts): (path: string) => boolean {
  const may = mayChange(role, parts.tree);
  const below = prefixOf(tree.path, tree.top);
  return (path) =>
    path.startsWith(below) ? isProtected(path.slice(below.length), may) : isProtected(path);
}
