// Protects against files in a step's tree that start a program. Files that the agent's host loads by itself are removed
// from the tree. No other such file may change, unless the role of the agent names it.

import { mayChange } from "../config/role_settings.ts";
import { leaveOut, unseenAt } from "../git/left_out.ts";
import { ancestors, prefixOf } from "../git/repository.ts";
import { leftForGit } from "../git/step_guard.ts";
import type { StepTree } from "../git/step_names.ts";
import { changesIn } from "../git/step_tree.ts";
import { isLoaded, isProtected, REPOSITORY_FILES } from "../hosts/repository_files.ts";
import type { StepParts } from "./step_task.ts";

type Parts = Pick<StepParts, "tree" | "hostsOf" | "signal">;

/** Removes the files that a host of the role would load as code from the tree. */
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

/** Returns one sentence for each file in a tree that a person has to look at before anything else uses the tree. */
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
