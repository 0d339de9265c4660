// Takes the work of an issue that is done into the branch that is checked out: its documents, and the branches of
// its steps. What is merged then goes with its trees.

import { AgentxError, hasCode } from "../base/errors.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import { outputOf, type Workflow } from "../config/workflow.ts";
import { changedFiles } from "../git/changed_files.ts";
import { commitFiles } from "../git/commit_files.ts";
import { branchOf, prefixOf, repositoryAbove } from "../git/repository.ts";
import { gitError } from "../git/run_git.ts";
import { mergeBranch, removeBranch, stepBranches } from "../git/step_branches.ts";
import { stepBranch, treeOf } from "../git/step_names.ts";
import { commitMessage } from "../guard/commit_message.ts";
import { sys } from "../sys/mod.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { familyOf, rowsBelow } from "../work/issue/parents.ts";
import { documentsOf } from "./documents.ts";
import { agreeToMerge, type MergeConsent } from "./merge_consent.ts";
import { type ChangeSummary, issueChange, summaryOf } from "./step_change.ts";
import { type Standing, stepsLeft, type StepStanding } from "./standing.ts";

/** What merging needs. */
export interface MergeParts {
  issues: Pick<IssueStore, "get" | "getKnown" | "scan">;
  standing: (known: KnownIssue) => Promise<{ standing: Standing }>;
  workflowOf: (issueNumber: number) => Workflow;
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The same in the caller's own checkout: there it is merged. */
  tree: string;
  trust: () => Pick<RepositoryTrust, "checkGit">;
  agrees: MergeConsent["agrees"];
  signal?: AbortSignal;
}

/** What became of it. */
export interface MergedWork {
  issueNumber: number;
  /** The branch that has it now. */
  into: string;
  /** How many documents, and files of its own, were committed before. */
  committed: number;
  /** The branches that brought something. */
  merged: string[];
  /** What each issue changed, against where its work left the branch. */
  changes: Array<ChangeSummary & { issueNumber: number }>;
  /** The branches that are gone, with their trees. */
  removed: string[];
  /** The branches that stay, and why. */
  kept: Array<{ branch: string; why: string }>;
}

/** Kept with the work: where the issue stands, and what its agents learned. */
const OURS = [".agentx/issues", ".agentx/memory"];

/**
 * @returns what was merged of an issue and of its parts, and removed
 * @throws {AgentxError} `NOT_FOUND`; `NOT_READY` where it is not done, or other changes are not committed;
 *   `IO_ERROR` where both sides changed the same, or git refuses
 */
export async function mergeWork(issueNumber: number, parts: MergeParts): Promise<MergedWork> {
  const { issues, standing, tree, root, workflowOf, signal } = parts;
  const repository = repositoryAbove(tree);
  if (repository === undefined) throw gitError(tree, "merge", "it is in no git repository");
  await parts.trust().checkGit();
  const { checkout, gitFolder } = repository;
  const place = { checkout, signal };
  const issue = issues.get(issueNumber);
  const all = rowsBelow([issue], familyOf(issues.scan().issues));
  const begun: number[] = [];
  for (const { issue: { number } } of all) {
    if ((await stepBranches(number, place)).length > 0) begun.push(number);
  }
  const into = branchOf(gitFolder);
  const standings = new Map<number, Standing>();
  for (const { issue: { number } } of all) {
    standings.set(number, (await standing(issues.getKnown(number))).standing);
  }
  const stepsOf = (number: number) => standings.get(number)!.steps;
  const isRun = begun.length > 0 || [...standings.values()].some(({ isBegun }) => isBegun);
  const isOurs = into === undefined || /^agentx\/\d/.test(into);
  const reasons = isRun ? [] : ["nothing of it was run"];
  if (isOurs) reasons.push(`${into ?? "no branch"} is checked out, and no branch of yours`);
  for (const number of begun) reasons.push(...openSteps(number, stepsOf(number)));
  const documents = begun.flatMap((number) =>
    workflowOf(number).steps.flatMap((step) =>
      documentsOf(tree, outputOf(step, number)).map(([path]) => path)
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
  const folders = [...OURS, ...documents];
  const committed = (await commitFiles(tree, { folders, message, signal })).files.length;
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
    if (change !== undefined && change.files.length > 0) {
      result.changes.push({ issueNumber: number, ...summaryOf(change) });
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

/** The branches of the steps that were taken, the last first: it has the work of those before. */
function takenSteps(number: number, steps: readonly StepStanding[]): string[] {
  return steps.filter(({ state }) => state === "done").toReversed()
    .map(({ step }) => stepBranch(number, step));
}

function openSteps(number: number, steps: readonly StepStanding[]): string[] {
  return stepsLeft(steps).map(({ step, state }) => `${step} of #${number} is ${state}`);
}

/** Changes of files that git tracks: a merge that fails would leave them among its own. */
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

/** @returns why a merged branch stays; undefined where it is gone */
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
