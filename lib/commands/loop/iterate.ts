import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { extended, limitOf, render, summary } from "./loop.ts";

export const command = defineCommand({
  kind: "loop",
  examples: ['agentx loop iterate 42 -m "Two tests still fail"'],
  input: { issue: issueNumber, summary, extended },
  positional: ["issue"],
  async run(context, { issue, summary, extended }) {
    const workspace = await context.openWorkspace();
    const maxIterations = limitOf(issue, workspace, extended);
    const options = { summary, maxIterations };
    return { output: { loop: await workspace.loop.iterate(issue, options) } };
  },
  render,
});
