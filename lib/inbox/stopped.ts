// Steps that their agents could not do: a person mends them, or has their agents begin again.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { CLARIFY_FIRST, type StoppedStep, waitingAmong } from "../pipeline/stopped_steps.ts";
import type { Workspace } from "../workspace/open.ts";

export const STOPPED_ID = /^STP-[1-9]\d{0,8}-[\w-]{1,100}$/;

/** The steps that wait for a person, of all open issues. */
export function stoppedIn(
  { issues, stopped, workflowOf }: Pick<Workspace, "issues" | "stopped" | "workflowOf">,
): Array<StoppedStep & { issue: number }> {
  const all = stopped.list();
  const { byUid } = issues.view();
  return [...new Set(all.map(({ issueUid }) => issueUid))].flatMap((uid) => {
    const known = byUid.get(uid);
    if (known === undefined || known.isDeleted) return [];
    const issue = known.issue.number;
    return waitingAmong(all, known, workflowOf(issue)).map((one) => ({ ...one, issue }));
  });
}

/**
 * Has the agent of a step begin again.
 *
 * @param answer `a`, or what it is to do
 * @returns what was decided, in one line
 * @throws {AgentxError} `NOT_FOUND` where the step does not wait any more; `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function decideStopped(
  workspace: Workspace,
  id: string,
  answer: string,
): Promise<string> {
  const found = stoppedIn(workspace).find((one) => one.id === id);
  if (found === undefined) {
    throw new AgentxError("NOT_FOUND", `Cannot decide "${id}": it does not wait any more`, {
      details: { kind: "step", id },
      next: "List what waits for you with: agentx inbox",
    });
  }
  const { issue, step, reasons } = found;
  if (step === CLARIFY_FIRST) {
    const because = [...reasons, `A person answered: ${answer}`].join("\n");
    await workspace.noteStep(issue, { op: "decided", step, isTaken: true, because }, HUMAN);
    return `its steps begin with: agentx workflow run ${issue}`;
  }
  const because = /^\s*a\s*$/i.test(answer) ? reasons.join("; ") : answer;
  await workspace.noteStep(issue, { op: "returned", step, because }, HUMAN);
  return `${step} begins again with: agentx workflow run ${issue}`;
}
