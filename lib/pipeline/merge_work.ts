// Merges the work of a finished issue into the current branch: its documents, and the branches of its steps. Then
// removes the merged branches with their trees.

import { AgentxError, hasCode } from "../base/errors.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import { stepOutput, type Workflow } from "../config/workflow.ts";
import { changedFiles } from "../git/changed_files.ts";
import { commitFiles } from "../git/commit_files.ts";
import { branchOf, prefixOf, repositoryAbove } from "../git/repository.ts";
import { gitError } from "../git/run_git.ts";
import { mergeBranch, removeBranch, stepBranches } from "../git/step_branches.ts";
import { stepBranch, treeOf } from "../git/step_names.ts";
import { commitMessage } from "../guard/commit_message.ts";
import { sys } from "../sys/mod.ts";
import { RECORDS_MESSAGE } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { familyOf, rowsBelow } from "../work/issue/parents.ts";
import type { Route } from "../work/route/route.ts";
import { documentsOf } from "./documents.ts";
import { agreeToMerge, type MergeConsent } from "./merge_consent.ts";
import { type ChangeSummary, changeSummary, issueChange } from "./step_change.ts";
import { type IssueStanding, stepsLeft, type StepStanding } from "./standing.ts";

/** The parts for merging. */
export interface MergeParts {
  issues: Pick<IssueStore, "get" | "getKnown" | "scan">;
  standing: (known: KnownIssue) => Promise<{ standing: IssueStanding; route: Route }>;
  workflowOf: (issueNumber: number) => Workflow;
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The workspace folder in the caller's own checkout, where the work is merged. */
  tree: string;
  trust: () => Promise<Pick<RepositoryTrust, "checkGit">>;
  agrees: MergeConsent["agrees"];
  signal?: AbortSignal;
}

/** The result of a merge. */
export interface MergedWork {
  issueNumber: number;
  /** The branch that has the work now. */
  into: string;
  /** Number of files that were committed before the merge: documents, and records of agentx. */
  committed: number;
  /** The branches that were merged. */
  merged: string[];
  /** The changes of each issue, compared with the point where its work left the branch. */
  changes: Array<ChangeSummary & { issueNumber: number }>;
  /** The branches that were removed, with their trees. */
  removed: string[];
  /** The branches that were kept, with the reason. */
  kept: Array<{ branch: string; why: string }>;
}

/** Folders to commit with the work: the state of the issue, and the memory of its agents. */
const OURS = [".agentx/issues", ".agentx/memory"];

/**
 * Merges the work of an issue and of its parts.
 *
 * @returns the merged and removed branches
 * @throws {AgentxError} `NOT_FOUND`; `NOT_READY` if the issue is not done, or other changes are uncommitted; `IO_ERROR`
 *   if both sides changed the same lines, or git refuses
 */
export async function mergeWork(issueNumber: number, parts: MergeParts): Promise<MergedWork> {
  const { issues, standing, tree, root, workflowOf, signal } = parts;
  const repository = repositoryAbove(tree);
  if (repository === undefined) {
    throw gitError(
      tree,
      "merge",
      "it is not in a git repository",
      "Run it in a checkout of the project",
    );
  }
  await (await parts.trust()).checkGit();
  const { checkout, gitFolder } = repository;
  const place = { checkout, signal };
  const issue = issues.get(issueNumber);
  const all = rowsBelow([issue], familyOf(issues.scan().issues));
  const begun: number[] = [];
  const reasons: string[] = [];
  const standings = new Map<number, IssueStanding>();
  for (const { issue: { number } } of all) {
    const stands = await standing(issues.getKnown(number));
    standings.set(number, stands.standing);
    const branches = await stepBranches(number, place);
    if (branches.length > 0) begun.push(number);
    if (branches.length > 0 || stands.standing.isBegun) {
      reasons.push(...openSteps(stands, branches));
    }
  }
  const into = branchOf(gitFolder);
  const stepsOf = (number: number) => standings.get(number)!.steps;
  const isRun = begun.length > 0 || [...standings.values()].some(({ isBegun }) => isBegun);
  const isOurs = into === undefined || /^agentx\/\d/.test(into);
  if (!isRun) reasons.push("nothing of it was run");
  if (isOurs) reasons.push(`${into ?? "no branch"} is checked out, and no branch of yours`);
  const documents = begun.flatMap((number) =>
    workflowOf(number).steps.flatMap((step) =>
      documentsOf(tree, stepOutput(step, number)).map(([path]) => path)
    )
  );
  reasons.push(...await otherChanges(documents, { tree, ...place }));
  if (reasons.length > 0) {
    throw new AgentxError("NOT_READY", `Cannot merge #${issueNumber}: ${reasons.join("; ")}`, {
      details: { issueNumber, reasons },
      next: isRun
        ? `Settle that, then: agentx workflow merge ${issueNumber}`
        : `Run it with: agentx workflow run ${issueNumber}`,
    });
  }
  const unmerged: string[] = [];
  for (const number of begun) {
    const rest = await stepBranches(number, { ...place, isMerged: false });
    const taken = takenSteps(number, stepsOf(number));
    unmerged.push(...taken.filter((branch) => rest.includes(branch)));
  }
  await agreeToMerge(unmerged, { issueNumber, ...place, agrees: parts.agrees });
  const message = commitMessage(issue, { scope: "documents", place: tree });
  const commits = [{ folders: documents, message }, { folders: OURS, message: RECORDS_MESSAGE }]
    .filter(({ folders }) => unmerged.length > 0 && folders.length > 0);
  let committed = 0;
  for (const of of commits) committed += (await commitFiles(tree, { ...of, signal })).files.length;
  const result: MergedWork = {
    issueNumber,
    into: into!,
    committed,
    changes: [],
    merged: [],
    removed: [],
    kept: [],
  };
  for (const number of begun) {
    const of = { tree, issueNumber: number, signal };
    const change = await issueChange(workflowOf(number).steps, of);
    if (change !== undefined) {
      result.changes.push({ issueNumber: number, ...changeSummary(change) });
    }
    for (const branch of takenSteps(number, stepsOf(number))) {
      const rest = await stepBranches(number, { ...place, isMerged: false });
      if (!rest.includes(branch)) continue;
      await mergeBranch(branch, place);
      result.merged.push(branch);
    }
    for (const branch of await stepBranches(number, { ...place, isMerged: true })) {
      const why = await removed(branch, { root, ...place });
      if (why === undefined) result.removed.push(branch);
      else result.kept.push({ branch, why });
    }
    const rest = await stepBranches(number, { ...place, isMerged: false });
    const why = "its step was skipped or is not in the workflow any more, and it is not merged";
    result.kept.push(...rest.map((branch) => ({ branch, why })));
  }
  return result;
}

/**
 * Returns the branches of the steps that are done, the last one first, because it contains the work of the earlier
 * ones.
 */
export function takenSteps(number: number, steps: readonly StepStanding[]): string[] {
  return steps.filter(({ state }) => state === "done").toReversed()
    .map(({ step }) => stepBranch(number, step));
}

/** Returns one sentence for each step that is left, and for each step that was sent back after the issue was closed. */
export function openSteps(
  { standing: { issueNumber, steps }, route }: { standing: IssueStanding; route: Route },
  branches: readonly string[],
): string[] {
  const isTaken = new Map(route.steps.map(({ step, isTaken }) => [step, isTaken]));
  const sentBack = steps.filter(({ step, state }) =>
    state === "skipped" && isTaken.get(step) &&
    branches.includes(stepBranch(issueNumber, step))
  );
  return [
    ...stepsLeft(steps).map(({ step, state }) => `${step} of #${issueNumber} is ${state}`),
    ...sentBack.map(({ step }) =>
      `${step} of #${issueNumber} was sent back (go on with: agentx issue edit ${issueNumber} --status Ready)`
    ),
  ];
}

/**
 * Returns one sentence for each other uncommitted change of a file that git tracks: a failed merge would mix it with
 * its own changes.
 */
async function otherChanges(
  documents: readonly string[],
  { tree, checkout, signal }: { tree: string; checkout: string; signal?: AbortSignal },
): Promise<string[]> {
  const below = prefixOf(tree, checkout);
  const ours = new Set(documents.map((path) => below + path));
  const changes = await changedFiles(checkout, { action: "compare", withNew: false, signal });
  return changes.map(({ path }) => path)
    .filter((path) => !path.startsWith(`${below}.agentx/`) && !ours.has(path))
    .map((path) => `${path} has changes that are not committed`);
}

/**
 * Removes a merged branch with its tree.
 *
 * @returns why the branch stays; undefined if it was removed
 */
async function removed(
  branch: string,
  { root, checkout, signal }: { root: string; checkout: string; signal?: AbortSignal },
): Promise<string | undefined> {
  const path = `${root}/${treeOf(branch)}`;
  const top = sys.lstat(path) === undefined ? undefined : path;
  try {
    await removeBranch({ top, branch }, { checkout, signal });
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    return error.message;
  }
}
