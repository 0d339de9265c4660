// What the agents of an issue changed, against what they found: read from the branches and trees of its steps.

import { type Diff, diffOf, type FileDiff } from "../git/diff.ts";
import { repositoryPrograms } from "../git/programs.ts";
import { repositoryAbove } from "../git/repository.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { stepBranches } from "../git/step_branches.ts";
import { changedSettings } from "../git/step_guard.ts";
import { startOf, stepBranch, stepTree } from "../git/step_names.ts";
import { isWhole } from "../git/step_tree.ts";

/** A change without its lines. */
export interface ChangeSummary {
  /** The commit that it is compared with. */
  base: string;
  /** Relative to the top of the repository. */
  files: Array<Omit<FileDiff, "diff">>;
}

/** The steps of one issue. */
export interface StepsOf {
  /** The folder that holds `.agentx/`. */
  root: string;
  issueNumber: number;
  signal?: AbortSignal;
}

/** Without what workspaces keep, which is no work of a step. */
const isWork = ({ path }: FileDiff) => !/(^|\/)\.agentx\//.test(path);

/**
 * @returns what a step changed since its agent last began, committed or not; undefined where it never began
 * @throws {AgentxError} `IO_ERROR` where git refuses
 */
export async function stepChange(step: string, of: StepsOf): Promise<Diff | undefined> {
  const { root, issueNumber, signal } = of;
  const tree = stepTree(root, issueNumber, step);
  const repository = repositoryAbove(root);
  if (repository === undefined) return undefined;
  const { checkout } = repository;
  const base = startOf(tree.branch);
  if (await gitOf(checkout, signal)("for-each-ref", base) === "") return undefined;
  // Comparing files has git start filters: only those that the user's own settings name.
  const isAsked = isWhole(tree) && (await changedSettings(tree)).length === 0 &&
    Object.keys(await repositoryPrograms(tree.path)).length === 0;
  const { files, ...diff } = isAsked
    ? await diffOf(tree, { base, signal })
    : await diffOf(checkout, { base, head: tree.branch, signal });
  return { ...diff, files: files.filter(isWork) };
}

/**
 * @param steps in the order of the workflow
 * @returns what the branch of the last step that has one would bring into the caller's checkout; undefined where
 *   there is none
 * @throws {AgentxError} `IO_ERROR` where git refuses
 */
export async function issueChange(
  steps: readonly { id: string }[],
  { tree, issueNumber, signal }: Omit<StepsOf, "root"> & { tree: string },
): Promise<Diff | undefined> {
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return undefined;
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const head = steps.map(({ id }) => stepBranch(issueNumber, id))
    .findLast((branch) => branches.includes(branch));
  if (head === undefined) return undefined;
  const base = (await gitOf(checkout, signal)("merge-base", "HEAD", head)).trim();
  const { files, ...diff } = await diffOf(checkout, { base, head, signal });
  return { ...diff, files: files.filter(isWork) };
}

/** @returns what each step of an issue changed, in the order of the workflow */
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

export function summaryOf({ base, files }: Diff): ChangeSummary {
  return { base, files: files.map(({ path, added, removed }) => ({ path, added, removed })) };
}

/** Such as `2 files, +20 -3, since 1a2b3c4d5e6f`, and a line for each file; of many, at most `max`. */
export function changeLines({ base, files }: ChangeSummary, max = 20): string[] {
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of], 0);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return [
    `${count}, +${sum("added")} -${sum("removed")}, since ${base.slice(0, 12)}`,
    ...files.slice(0, max).map(({ path, added, removed }) => `  ${path} +${added} -${removed}`),
    ...files.length > max ? [`  and ${files.length - max} more`] : [],
  ];
}

function gitOf(checkout: string, signal?: AbortSignal) {
  return (...args: string[]) =>
    runGit(checkout, args, { action: "compare", confinement: LOOKS_ONLY, signal });
}
