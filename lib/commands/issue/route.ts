import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import type { Route, RouteStep } from "../../work/route/route.ts";
import { fitCell, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

export const command = defineCommand({
  kind: "route",
  examples: ["agentx issue route 42"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues, standing } = await context.openWorkspace();
    issues.get(issue);
    const known = issues.getKnown(issue);
    const { route } = await standing(known);
    const output: TitledRoute = { ...route, title: known.issue.title };
    return { output };
  },
  render: renderRoute,
});

/** A route, and what its issue is about. */
interface TitledRoute extends Route {
  /** Title of the issue. */
  title: string;
}

/** @returns who comes first and why, and the steps */
function renderRoute(output: TitledRoute, view: RenderView): string {
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
}

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
