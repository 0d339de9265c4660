import { defineCommand } from "../../cli/command.ts";
import { readTemplate } from "../../pipeline/templates.ts";
import { inertLines } from "../../text/inert.ts";
import { type } from "./input.ts";

export const command = defineCommand({
  kind: "template",
  examples: [
    "agentx template show prd",
    "agentx template show prd >.agentx/templates/prd.md",
  ],
  input: { type },
  positional: ["type"],
  async run({ openState }, { type }) {
    const { tree } = await openState();
    const { body: _, ...template } = await readTemplate(tree, type);
    return { output: { template } };
  },
  render: ({ template: { text } }) => inertLines(text.replace(/\n$/, "")).join("\n"),
});
