import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueName } from "../../cli/inputs.ts";
import { terminalLine } from "../../text/text.ts";

export const command = defineCommand({
  kind: "issue.delete",
  examples: ["agentx issue delete 42"],
  input: { issue: issueName, as: asAgent },
  positional: ["issue"],
  async run(context, { issue: name, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    const { ref } = issues.getKnown(name);
    return { output: { ref, issue: await issues.delete(name, by) } };
  },
  render: ({ ref, issue: { title } }, { style, width }) => {
    const head = `Deleted ${ref}: `;
    const undo = `Bring it back with: agentx issue undo ${ref.slice(1)}`;
    return [
      `  ${style.bold(head)}${terminalLine(title, Math.max(20, width - head.length - 2))}`,
      style.dim(`  ${undo}`),
    ].join("\n");
  },
});
