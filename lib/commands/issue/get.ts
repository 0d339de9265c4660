import { defineCommand } from "../../cli/command.ts";
import { renderIssue } from "../../work/render/issues.ts";
import { chosenIssue, theIssue } from "./input.ts";

/** Shows an issue with its body and its comments. */
export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue get 42", "agentx issue get -i 42 --json"],
  input: chosenIssue,
  positional: ["number"],
  async run(context, input) {
    const number = theIssue(context.name, input);
    const { issues } = await context.openWorkspace();
    return { output: { issue: issues.get(number) } };
  },
  render: ({ issue }, view) => renderIssue(issue, view),
});
