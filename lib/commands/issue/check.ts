import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { argument, flag, rule } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import { criteriaOf, withCriterion } from "../../work/issue/criteria.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { checkSeenVersion } from "../../work/issue/conflicts.ts";
import { seen } from "./input.ts";
import { renderCriteria } from "./render.ts";

/** Ticks an acceptance criterion in the body of an issue. */
export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue check 42 1", "agentx issue check 42 1 --undo"],
  input: {
    undo: flag("Untick the criterion"),
    seen,
    as: asAgent,
    issue: issueNumber,
    item: argument(
      { ...rule(/^[1-9]\d{0,4}$/, "be a whole number from 1"), read: Number },
      "Number of the criterion, from 1",
    ),
  },
  positional: ["issue", "item"],
  async run(context, { issue: number, item, undo, seen, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    const issue = await issues.change(number, by, (issue, { byUid }) => {
      checkSeenVersion(byUid.get(issue.uid)!, seen);
      const body = withCriterion(issue.body, item, !undo);
      if (body === undefined) throw noCriterion(issue, item);
      issue.body = body;
    });
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderCriteria(issue, view),
});

function noCriterion({ number, body }: Issue, item: number): AgentxError<"NOT_FOUND"> {
  const count = criteriaOf(body).length;
  const why = `it has ${count === 0 ? "none" : count}`;
  return new AgentxError("NOT_FOUND", `Cannot find criterion ${item} of #${number}: ${why}`, {
    details: { kind: "criterion", id: String(item) },
    next:
      'Criteria are items such as "- [ ] ..." under a heading "Acceptance criteria" of the body',
  });
}
