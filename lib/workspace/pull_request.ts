// Offers the work on an issue on GitHub: pushes its branch, and opens or updates the pull request. It posts in the
// name of the user, so mode github must be on, and `github.post` must allow it.

import { AgentxError } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { pushBranch } from "../git/push_branch.ts";
import { type PullRequest, pullRequestText, settlePullRequest } from "../github/pull_request.ts";
import { offerWork } from "../pipeline/offer_work.ts";
import type { MergeParts } from "../pipeline/merge_work.ts";
import { sys } from "../sys/mod.ts";
import { gitHubClient, gitHubPlace, numbersOnGitHub, whilePosting } from "./github.ts";
import type { Workspace } from "./open.ts";

/** The pull request of an offer. */
export interface Offered {
  issueNumber: number;
  /** Number of the pull request on GitHub. */
  pullRequest: number;
  url: string;
  /** Whether this call opened the pull request. */
  isNew: boolean;
  /** The pushed branch; `into` is the branch that it is merged into. */
  branch: string;
  into: string;
}

/**
 * Pushes the work on an issue, and opens or updates its pull request.
 *
 * @throws {AgentxError} `INVALID_INPUT` outside of mode github, `NOT_READY`, `NOT_FOUND`, `SYNC_ERROR`, `IO_ERROR`
 */
export async function offerOnGitHub(
  issueNumber: number,
  workspace: Workspace,
  { agrees, signal }: Pick<MergeParts, "agrees" | "signal">,
): Promise<Offered> {
  const place = gitHubPlace(workspace);
  if (place === undefined) {
    const why = "this repository is not in mode github";
    throw new AgentxError("INVALID_INPUT", `Cannot open a pull request: ${why}`, {
      details: { field: "mode", value: workspace.config.mode },
      next: `Turn it on with: agentx config set mode github; or merge here: ` +
        `agentx workflow merge ${issueNumber}`,
    });
  }
  const { target, birth, level, outbox } = place;
  const issue = workspace.issues.get(issueNumber);
  const number = (await numbersOnGitHub(workspace, place))(issueNumber);
  if (level === "none") {
    throw notReady(issueNumber, "github.post says that nothing is posted", ALLOW);
  }
  if (number === undefined) {
    const next = `Merge it here: agentx workflow merge ${issueNumber}`;
    throw notReady(issueNumber, `it is no issue of ${place.name}`, next);
  }
  const { checkout, branch, into, review } = await offerWork(issueNumber, {
    ...workspace,
    agrees,
    signal,
  });
  const client = await gitHubClient(place, { tree: workspace.tree, signal });
  const head = `agentx/${number}`;
  const to = {
    host: target.host.replace(/:\d+$/, "").toLowerCase(),
    repository: target.repository,
  };
  await pushBranch(checkout, { branch, as: head, to, signal });
  const { since = isoTime(sys.now()) } = outbox.state() ?? {};
  const gate = await workspace.gate();
  const text = await pullRequestText({
    ...{ issue, number, review, birth, level, since },
    clarifications: workspace.ledger.scan().clarifications,
    questions: await gate.list(),
    assumptions: gate.assumptions.list(),
  });
  let pull = undefined as PullRequest | undefined;
  await whilePosting(workspace, () =>
    outbox.during(client, async () => {
      pull = await settlePullRequest(text, { target, client, head, base: into, birth, signal });
      return undefined;
    }));
  if (pull === undefined) {
    throw client.refusal("another process is posting just now", "Run this again once it has ended");
  }
  const { number: pullRequest, url, isNew } = pull;
  return { issueNumber, pullRequest, url, isNew, branch: head, into };
}

const ALLOW = "Allow it with: agentx config set --global github.post escalations; " +
  "then: agentx config set mode github";

function notReady(issueNumber: number, reason: string, next: string): AgentxError<"NOT_READY"> {
  return new AgentxError("NOT_READY", `Cannot open a pull request of #${issueNumber}: ${reason}`, {
    details: { issueNumber, reasons: [reason] },
    next,
  });
}
