import { defineCommand } from "../../cli/command.ts";
import { optional, word } from "../../cli/spec.ts";
import type { Workflow } from "../../config/workflow.ts";
import { displayWidth, fitCell, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

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

/** @returns a line for each, or all the steps of each */
function renderWorkflows(
  { workflows, isWhole }: { workflows: readonly Workflow[]; isWhole: boolean },
  { style, width }: RenderView,
): string {
  if (workflows.length === 0) return "  No workflows here. Write the defaults with: agentx init";
  if (isWhole) return workflows.map((workflow) => renderSteps(workflow, width)).join("\n\n");
  const column = Math.max(...workflows.map(({ type }) => displayWidth(type)));
  const lines = workflows.map(({ type, steps }) => {
    const path = steps.map(({ id, optional }) => optional ? `(${id})` : id).join(" -> ");
    return `  ${style.bold(fitCell(type, column))}  ${terminalLine(path, width - column - 5)}`;
  });
  return lines.join("\n");
}

function renderSteps({ type, description, steps }: Workflow, width: number): string {
  const blocks = steps.map((step, index) => {
    const facts = [
      step.needs.length > 0 ? `after ${step.needs.join(", ")}` : "",
      step.optional ? `optional${step.condition ? `: ${step.condition}` : ""}` : "",
      step.canClarify.length > 0
        ? `may ask ${step.canClarify.join(", ")}` +
          (step.clarifyBlockingAllowed ? "" : " (non-blocking only)")
        : "",
      step.output ? `writes ${step.output}` : "",
    ].filter((fact) => fact !== "");
    const head = `  ${index + 1}. ${step.id} (${step.agent}): ${step.title}`;
    return [head, ...facts.map((fact) => `     ${fact}`)]
      .map((line) => terminalLine(line, width))
      .join("\n");
  });
  return [terminalLine(`  ${type}: ${description ?? ""}`, width), ...blocks].join("\n");
}
