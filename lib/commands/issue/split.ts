import { NEEDS_HUMAN } from "../../base/errors.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { readSource } from "../../cli/read_source.ts";
import { optional, rule, type Spec } from "../../cli/spec.ts";
import { planParts } from "../../inbox/kinds/plan.ts";
import { renderProposed } from "../../inbox/render.ts";
import { renderChange } from "./render.ts";

const titles: Spec<string[]> = {
  ...rule(/\S/, "have text"),
  kind: "list",
  read: (text) => [text],
};

/** Splits an issue into parts: at once for a person; for an agent, after a person approves the plan. */
export const command = defineCommand({
  kind: "issue.split",
  examples: ["agentx issue split 42 plan.md", 'agentx issue split 42 "Pay" "Ship"'],
  input: {
    as: asAgent,
    issue: issueNumber,
    file: optional(
      titles,
      "Two or more titles; or a file with a title on each line, or with groups and their dependencies",
      {
        placeholder: "FILE|-|TITLE",
      },
    ),
  },
  positional: ["issue", "file"],
  async run(context, { issue, file: [first = "-", ...more] = [], as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    const text = more.length === 0
      ? await readSource(first, context.io)
      : [first, ...more].join("\n");
    const { issues, plan } = await planParts(workspace, issue, { text, by });
    const output = { parent: issue, issues, plan: plan?.id ?? null };
    return { output, exitCode: plan === null ? 0 : NEEDS_HUMAN };
  },
  render: ({ issues, plan }, view) =>
    plan === null
      ? issues.map((issue) => renderChange("Created", issue, view)).join("\n")
      : renderProposed(plan),
});
