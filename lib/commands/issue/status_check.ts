// Checks that the steps before a status are done before an issue gets the status.

import { actingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";
import { flag, optional, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { enumerate } from "../../base/quote.ts";
import { AgentxError } from "../../base/errors.ts";
import { HUMAN } from "../../base/agent_names.ts";
import { checkStatus, DONE, isOpen } from "../../work/issue/issue.ts";
import { familyOf, rowsBelow } from "../../work/issue/parents.ts";
import type { Workspace } from "../../workspace/open.ts";

/** The flags that a person overrides the check with. */
export const forced = {
  force: flag("Set the status although steps are missing (people only)"),
  because: optional(word, "Why, for the history", { placeholder: "TEXT" }),
};

/**
 * Closes the open parts below an issue, the deepest first.
 *
 * @throws {AgentxError} `NOT_READY` if there are open parts without `withParts`, or a part lacks a step
 */
export async function closeParts(
  context: Pick<Context, "io" | "name">,
  workspace: Workspace,
  { issue, withParts, by }: { issue: number; withParts: boolean; by: string },
): Promise<void> {
  const { issues } = workspace;
  const family = familyOf(issues.scan().issues);
  const open = rowsBelow([issues.get(issue)], family).slice(1).reverse()
    .flatMap((row) => isOpen(row.issue) ? [row.issue.number] : []);
  if (open.length > 0 && !withParts) {
    const why = `its parts ${enumerate(open.toReversed().map((part) => `#${part}`))} are open`;
    throw new AgentxError("NOT_READY", `Cannot close #${issue}: ${why}`, {
      details: { issueNumber: issue, reasons: [why] },
      next: `Close them first, or with it: agentx issue close ${issue} --with-parts`,
    });
  }
  const status = DONE;
  for (const part of open) {
    await checkSteps(context, workspace, { issue: part, status, force: false, because: undefined });
  }
  for (const part of open) await issues.update(part, { status }, by);
}

/**
 * Refuses a status if its steps are not validated.
 *
 * @throws {AgentxError} `NOT_READY` with the missing steps, and the command that validates them
 */
export async function checkSteps(
  { io, name }: Pick<Context, "io" | "name">,
  { lacking, handOn }: Workspace,
  { issue, status, force, because }: {
    issue: number;
    status: string;
    force: boolean;
    because: string | undefined;
  },
): Promise<void> {
  if (force && (because ?? "").trim() === "") {
    throw usageError(name, { field: "--force", value: "", why: "it needs --because TEXT" });
  }
  const steps = lacking(issue, checkStatus(status));
  if (steps.length === 0) return;
  const reasons = steps.map(({ step }) => `${step} is not validated`);
  const first = steps.find(({ state }) => state === "ready" || state === "running");
  const next = first === undefined
    ? `See where it stands with: agentx workflow ${issue}`
    : `Get it with: agentx issue validate ${issue} ${first.agent}`;
  const { session } = actingAgent(io, undefined);
  if (force && session === undefined) {
    const said = steps.map(({ step }) => ({
      op: "approved" as const,
      step,
      hash: null,
      because: because!,
    }));
    for (const each of said) await handOn(issue, [each], HUMAN);
    return;
  }
  const why = force ? [...reasons, "only a person forces it"] : reasons;
  throw new AgentxError("NOT_READY", `Cannot set #${issue} to "${status}": ${why.join("; ")}`, {
    details: { issueNumber: issue, reasons: why },
    next: `${next}; a person can override this with: --force --because TEXT`,
  });
}
