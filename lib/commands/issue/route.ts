import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { fitCell, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { type Route, routeOf, type RouteStep } from "../../work/route/route.ts";

interface RouteOutput extends Route {
  /** Title of the issue. */
  title: string;
}

/** Says which agent comes first, and why. */
export const command = defineCommand({
  kind: "route",
  examples: ["agentx route 42"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues, workflow, config } = await context.openWorkspace();
    const found = issues.get(issue);
    const { defaultWorkflow } = config;
    const route = routeOf(found, { readWorkflow: workflow, defaultWorkflow });
    const output: RouteOutput = { ...route, title: found.title };
    return { output };
  },
  render(output, view) {
    const { issueNumber, title, first, why, workflow, steps, parts } = output;
    const { style, width } = view;
    const agents = first.length === 0 ? "nobody" : first.map(({ agent }) => agent).join(", ");
    return [
      terminalLine(`  #${issueNumber} ${title}`, width),
      `  ${style.bold(terminalLine(`-> ${agents}`, width - 2))}`,
      ...why.map((reason) => style.dim(terminalLine(`     ${reason}`, width))),
      "",
      ...stepLines(workflow, steps, view),
      ...(parts === null
        ? []
        : ["", ...stepLines(`each part: ${parts.workflow}`, parts.steps, view)]),
    ].join("\n");
  },
});

function stepLines(heading: string, steps: readonly RouteStep[], view: RenderView): string[] {
  const { style, width } = view;
  const column = Math.min(20, Math.max(...steps.map(({ step }) => step.length)));
  return [
    style.bold(terminalLine(`  ${heading}`, width)),
    ...steps.flatMap(({ step, agent, isTaken, why }, index) => {
      const mark = isTaken ? `${index + 1}.` : "-";
      const line = terminalLine(`  ${mark.padStart(4)} ${fitCell(step, column)}  ${agent}`, width);
      const reason = why === null ? [] : [style.dim(terminalLine(`       ${why}`, width))];
      return [isTaken ? line : style.dim(line), ...reason];
    }),
  ];
}
