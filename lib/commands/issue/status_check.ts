// Checks that the steps before a status are done before an issue gets it.

import { actingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";
import { flag, optional, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { AgentxError } from "../../base/errors.ts";
import { HUMAN } from "../../base/agent_names.ts";
import { checkStatus } from "../../work/issue/issue.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Input with which a person overrides the check. */
export const forced = {
  force: flag("Set the status although steps are missing (people only)"),
  because: optional(word, "Why, for the history", { placeholder: "TEXT" }),
};

/**
 * Refuses a status whose steps are not validated.
 *
 * @throws {AgentxError} `NOT_READY` with what is missing, and the command that gets it
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
