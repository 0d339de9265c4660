// Compares the work of an issue's agents with their starting points, from the branches and trees of the steps.

import { type Diff, diffOf, type FileDiff } from "../git/diff.ts";
import { repositoryPrograms } from "../git/programs.ts";
import { repositoryAbove } from "../git/repository.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { stepBranches } from "../git/step_branches.ts";
import { changedSettings } from "../git/step_guard.ts";
import { stepBranch, stepStart, stepTree } from "../git/step_names.ts";
import { isWhole } from "../git/step_tree.ts";
import { namesIssue, namesStep } from "../guard/commit_message.ts";

/** A change without its lines. */
export interface ChangeSummary {
  /** The commit that the change is compared with. */
  base: string;
  /** The changed files; their paths are relative to the top of the repository. */
  files: Array<Omit<FileDiff, "diff">>;
}

/** The steps of one issue. */
export interface StepsOf {
  /** The folder that holds `.agentx/`. */
  root: string;
  issueNumber: number;
  /** Number of unchanged lines to show around each change; 3 by default. */
  context?: number;
  signal?: AbortSignal;
}

/** An issue, with the checkout of the caller. */
export type ChangeOf = Omit<StepsOf, "root"> & {
  /** The folder in the caller's checkout that contains `.agentx/`. */
  tree: string;
};

/** Whether a file is work of a step. Files in `.agentx/` are records of the workspace. */
const isWork = ({ path }: FileDiff) => !/(^|\/)\.agentx\//.test(path);

/**
 * Returns the changes of a step since its agent last began, committed or not; undefined if it never began.
 *
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function stepChange(step: string, of: StepsOf): Promise<Diff | undefined> {
  const { root, issueNumber, context, signal } = of;
  const tree = stepTree(root, issueNumber, step);
  const repository = repositoryAbove(root);
  if (repository === undefined) return undefined;
  const { checkout } = repository;
  const base = stepStart(tree.branch);
  if (await gitOf(checkout, signal)("for-each-ref", base) === "") return undefined;
  // Comparing files makes git start filters. Only the filters that the user configured may run.
  const isAsked = isWhole(tree) && (await changedSettings(tree)).length === 0 &&
    Object.keys(await repositoryPrograms(tree.path)).length === 0;
  const { files, ...diff } = isAsked
    ? await diffOf(tree, { base, context, signal })
    : await diffOf(checkout, { base, head: tree.branch, context, signal });
  return { ...diff, files: files.filter(isWork) };
}

/**
 * Returns the changes that a merge of the issue would bring into the caller's checkout: those of the branch of its last
 * step with a branch. Undefined if there are none.
 *
 * @param steps the steps in the order of the workflow
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function issueChange(
  steps: readonly { id: string }[],
  { tree, issueNumber, context, signal }: ChangeOf,
): Promise<Diff | undefined> {
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return undefined;
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const head = steps.map(({ id }) => stepBranch(issueNumber, id))
    .findLast((branch) => branches.includes(branch));
  if (head === undefined) return undefined;
  const base = (await gitOf(checkout, signal)("merge-base", "HEAD", head)).trim();
  const { files, ...diff } = await diffOf(checkout, { base, head, context, signal });
  const work = files.filter(isWork);
  return work.length === 0 ? undefined : { ...diff, files: work };
}

/**
 * Returns the changes of the last commit of a step, for use after its branch was merged and removed. Undefined if no
 * branch has such a commit.
 *
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function mergedChange(step: string, of: ChangeOf): Promise<Diff | undefined> {
  const names = [namesStep(step), namesIssue(of.issueNumber, of.tree)];
  return await sumOf(of, ["--branches", "-1", "--all-match"], names);
}

/**
 * Adds up the work of an issue on the current branch: the merges of the branches of its steps, or else, for a finished
 * issue, the commits that name it.
 *
 * @returns undefined if the branch has no such work
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function landedChange(
  of: ChangeOf,
  { isDone }: { isDone: boolean },
): Promise<Diff | undefined> {
  const branches = [`agentx/${of.issueNumber}-`];
  return await sumOf(of, ["--first-parent", "--merges"], branches) ??
    (isDone ? await sumOf(of, ["--no-merges"], [namesIssue(of.issueNumber, of.tree)]) : undefined);
}

/** Adds up the changes of some commits, file by file. A merge counts with all changes that it brought. */
async function sumOf(
  { tree, context, signal }: ChangeOf,
  which: readonly string[],
  lines: readonly string[],
): Promise<Diff | undefined> {
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return undefined;
  const git = gitOf(checkout, signal);
  const grep = ["--extended-regexp", ...lines.map((line) => `--grep=${line}`)];
  const found = await git("log", "--reverse", "--format=%H %P%x09%s", ...grep, ...which);
  const files = new Map<string, FileDiff>();
  let first: string | undefined;
  for (const commit of found.split("\n")) {
    const [ids, subject = ""] = commit.split("\t");
    const [own, before, merged] = ids.split(" ");
    if (!before || / into '?agentx\//.test(subject)) continue; // a step merged an earlier step
    const base = merged === undefined ? before : (await git("merge-base", before, merged)).trim();
    const diff = await diffOf(checkout, { base, head: merged ?? own, context, signal });
    first ??= base;
    for (const file of diff.files.filter(isWork)) {
      const { added, removed, diff } = files.get(file.path) ?? { added: 0, removed: 0, diff: "" };
      files.set(file.path, {
        path: file.path,
        added: added + file.added,
        removed: removed + file.removed,
        diff: diff + file.diff,
      });
    }
  }
  if (first === undefined) return undefined;
  return { base: first, files: [...files.values()].sort((a, b) => a.path < b.path ? -1 : 1) };
}

/** Returns the changes of each step of an issue, in the order of the workflow. */
export async function stepChanges(
  steps: readonly { id: string }[],
  of: StepsOf,
): Promise<Array<Diff & { step: string }>> {
  const all = await Promise.all(steps.map(async ({ id }) => {
    const diff = await stepChange(id, of);
    return diff === undefined || diff.files.length === 0 ? [] : [{ step: id, ...diff }];
  }));
  return all.flat();
}

export function changeSummary({ base, files }: Diff): ChangeSummary {
  return { base, files: files.map(({ path, added, removed }) => ({ path, added, removed })) };
}

/**
 * Formats a change as a line such as `2 files, +20 -3, since 1a2b3c4d5e6f`, and a line for each file, at most `max`.
 */
export function changeLines({ base, files }: ChangeSummary, max = 20): string[] {
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of], 0);
  const since = `since ${base.slice(0, 12)}`;
  if (files.length === 0) return [`no change ${since}`];
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return [
    `${count}, +${sum("added")} -${sum("removed")}, ${since}`,
    ...files.slice(0, max).map(({ path, added, removed }) => `  ${path} +${added} -${removed}`),
    ...files.length > max ? [`  and ${files.length - max} more`] : [],
  ];
}

function gitOf(checkout: string, signal?: AbortSignal) {
  return (...args: string[]) =>
    runGit(checkout, args, { action: "compare", confinement: LOOKS_ONLY, signal });
}
