import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { renderIssue } from "../../work/render/issues.ts";

/** Shows an issue with its body and its comments. */
export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue get 42", "agentx issue get -i 42 --json"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues } = await context.openWorkspace();
    return { output: { issue: issues.get(issue) } };
  },
  render: ({ issue }, view) => renderIssue(issue, view),
});
