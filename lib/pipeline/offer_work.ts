// Finds the work of a finished issue for a pull request: the branch of its last step, the branch of the user to merge
// it into, and the last review. Nothing is merged here.

import { AgentxError, hasCode } from "../base/errors.ts";
import { branchOf, prefixOf, repositoryAbove } from "../git/repository.ts";
import { gitError, LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { stepBranches } from "../git/step_branches.ts";
import { agreeToMerge } from "./merge_consent.ts";
import { type MergeParts, openSteps, takenSteps } from "./merge_work.ts";
import type { StepStanding } from "./standing.ts";

/** Work that waits for a person to merge it. */
export interface OfferedWork {
  checkout: string;
  /** The branch with all of the work. */
  branch: string;
  /** The branch to merge the work into: the one that is checked out. */
  into: string;
  /** The last review; undefined if no step of a reviewer wrote one. */
  review: { agent: string; text: string } | undefined;
}

/**
 * Finds the work, and asks the person to agree to its files that start a program or instruct agents: once they are
 * pushed, a server may run them.
 *
 * @throws {AgentxError} `NOT_FOUND`; `NOT_READY` if a step is open or the person does not agree; `IO_ERROR`
 */
export async function offerWork(issueNumber: number, parts: MergeParts): Promise<OfferedWork> {
  const { issues, standing, tree, signal } = parts;
  const repository = repositoryAbove(tree);
  if (repository === undefined) throw gitError(tree, "push", "it is in no git repository");
  await (await parts.trust()).checkGit();
  const { checkout, gitFolder } = repository;
  const stands = await standing(issues.getKnown(issueNumber));
  const { steps } = stands.standing;
  const branches = await stepBranches(issueNumber, { checkout, signal });
  const branch = takenSteps(issueNumber, steps).find((each) => branches.includes(each));
  const into = branchOf(gitFolder);
  const isOurs = into === undefined || /^agentx\/\d/.test(into);
  const reasons = [
    ...openSteps(stands, branches),
    ...branch === undefined ? ["it has no branch of a step that is done"] : [],
    ...isOurs ? [`${into ?? "no branch"} is checked out, and no branch of yours`] : [],
  ];
  if (branch === undefined || into === undefined || reasons.length > 0) {
    throw new AgentxError("NOT_READY", `Cannot offer #${issueNumber}: ${reasons.join("; ")}`, {
      details: { issueNumber, reasons },
      next: `See where it stands with: agentx workflow ${issueNumber}`,
    });
  }
  await agreeToMerge([branch], { issueNumber, checkout, signal, agrees: parts.agrees });
  const review = await reviewOn(branch, steps, { tree, checkout });
  return { checkout, branch, into, review };
}

/** Returns the document of the last reviewer, from the branch. */
async function reviewOn(
  branch: string,
  steps: readonly StepStanding[],
  { tree, checkout }: { tree: string; checkout: string },
): Promise<OfferedWork["review"]> {
  const last = steps.findLast(({ agent, artifact, state }) =>
    agent === "reviewer" && artifact !== null && state === "done"
  );
  if (last === undefined) return undefined;
  const name = `${branch}:${prefixOf(tree, checkout)}${last.artifact}`;
  const looks = { action: "read a review", confinement: LOOKS_ONLY };
  try {
    return { agent: last.agent, text: await runGit(checkout, ["cat-file", "blob", name], looks) };
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return undefined; // the review was not committed
    throw error;
  }
}
