// Checks the place of the workspace: worktree, ignored files, log.

import { branchOf, checkoutsOf, repositoryAbove } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";
import { dayOf } from "../base/time.ts";
import type { WorkspacePlace } from "../workspace/find.ts";
import { planWorkspace, writePlan } from "../workspace/init.ts";
import { failure, type Finding, fixed, ok, warn } from "./finding.ts";

/** Reports the folder with the state that all checkouts of the repository share, and the states that are not used. */
export function examineWorktree({ root, tree }: WorkspacePlace): Finding[] {
  const check = "worktree";
  const repository = repositoryAbove(tree);
  const others = repository === undefined
    ? []
    : checkoutsOf(repository).map((path) => path + tree.slice(repository.checkout.length));
  const unused = [...new Set([tree, ...others])].filter((path) => path !== root)
    .map((path) => `${path}/.agentx/state`).filter((path) => sys.lstat(path) !== undefined);
  const isLost = sys.lstat(`${repository?.sharedFolder}/HEAD`) === undefined;
  return [
    root === tree
      ? ok(check, "this is where the state lives")
      : ok(check, `${tree} is a worktree: its state lives in ${root}, agents run here`),
    ...repository !== undefined && isLost
      ? [warn(
        check,
        `"${repository.checkout}/.git" leads to "${repository.gitFolder}", which is not there: ` +
          "other worktrees of that repository do not share this state",
        "Put the repository back, or run this in it: git worktree repair",
      )]
      : [],
    ...unused.map((path) =>
      warn(check, `"${path}" is not used`, `Move what you need to ${root}, then remove it`)
    ),
  ];
}

/** Reports the branch of the checkout. Throws `IO_ERROR` if git is too old for the repository. */
export function examineHead({ tree }: WorkspacePlace): Finding[] {
  const repository = repositoryAbove(tree);
  if (repository === undefined) return [];
  const branch = branchOf(repository.gitFolder);
  return [
    ok("repository", branch === undefined ? "no branch is checked out" : `on branch ${branch}`),
  ];
}

/** The messages for the lines in a git file, if they are there or missing. */
const PURPOSES: Record<string, [good: string, bad: string]> = {
  ".gitignore": [
    "git ignores the state of this machine",
    "The state of this machine is not ignored by git",
  ],
  ".gitattributes": [
    "git merges issues and memory line by line",
    "Branches that both add to an issue or to memory will conflict",
  ],
};

/**
 * Checks whether git ignores the state of this machine, and merges issues and memory by lines; returns nothing outside
 * of git.
 */
export async function examineGitLines(root: string, isFixing: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of planWorkspace(root).files) {
    if (!Object.hasOwn(PURPOSES, file.path)) continue;
    const check = file.path.slice(1);
    const [good, bad] = PURPOSES[file.path];
    if (file.action === "keep") findings.push(ok(check, good));
    else if (isFixing) {
      await writePlan({ root, files: [file] });
      findings.push(fixed(check, `added the missing lines to ${file.path}`));
    } else {
      findings.push(warn(check, bad, "Add the lines with: agentx doctor --fix"));
    }
  }
  return findings;
}

/** The text to write; if a disk cannot take this much, it is full. */
const PROBE = " ".repeat(4_096);

/** Writes a file into each folder and removes it again, because modes do not show that a disk is full or read-only. */
export function examineWriting(home: string): Finding[] {
  const check = "writing";
  const folders = ["", "/state", "/state/clarifications", "/issues", "/memory", "/log"]
    .map((name) => home + name)
    .filter((folder) => sys.lstat(folder)?.kind === "directory");
  for (const folder of folders) {
    const path = `${folder}/doctor-${sys.pid}.tmp`;
    try {
      sys.writeNewFile(path, PROBE, { fsync: false });
      sys.removeFile(path);
    } catch (error) {
      return [failure(check, error)];
    }
  }
  return [ok(check, "the folders take files")];
}

/** Checks whether another file is in the place of the log. */
export function examineLog(folder: string, nowMs: number): Finding[] {
  const today = `${folder}/${dayOf(nowMs)}.jsonl`;
  for (const [path, kind] of [[folder, "directory"], [today, "file"]]) {
    const found = sys.lstat(path);
    if (found === undefined || found.kind === kind) continue;
    const next = "Move it aside; agentx works without the log, but nothing can follow it";
    return [warn("log", `Cannot write "${path}": it is not a ${kind} (${found.kind})`, next)];
  }
  return [ok("log", "nothing is in its way")];
}
