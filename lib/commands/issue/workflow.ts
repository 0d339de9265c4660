import { defineCommand } from "../../cli/command.ts";
import { optional, word } from "../../cli/spec.ts";
import { renderWorkflows } from "../../work/render/workflows.ts";

export const command = defineCommand({
  kind: "workflow.list",
  examples: ["agentx workflow", "agentx workflow feature"],
  input: {
    type: optional(word, "Show the steps of this one", {
      placeholder: "TYPE",
      values: "workflow",
    }),
  },
  positional: ["type"],
  async run(context, { type }) {
    const workspace = await context.openWorkspace();
    const types = type === undefined ? workspace.workflowTypes() : [type];
    const workflows = types.map((type) => workspace.workflow(type));
    return { output: { workflows, isWhole: type !== undefined } };
  },
  render: renderWorkflows,
});
