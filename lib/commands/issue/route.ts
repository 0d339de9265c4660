import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { flag } from "../../cli/spec.ts";
import { findingsOf, type RuleFinding } from "../../work/route/complexity.ts";
import type { Route, RouteStep } from "../../work/route/route.ts";
import { fitCell, terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

export const command = defineCommand({
  kind: "route",
  examples: ["agentx issue route 42", "agentx issue route 42 --why"],
  input: { issue: issueNumber, why: flag("Show what each rule for type and size finds") },
  positional: ["issue"],
  async run(context, { issue, why }) {
    const { issues, standing } = await context.openWorkspace();
    issues.get(issue);
    const known = issues.getKnown(issue);
    const { route } = await standing(known);
    const rules = why ? { rules: findingsOf(known.issue) } : {};
    const output: TitledRoute = { ...route, title: known.issue.title, ...rules };
    return { output };
  },
  render: renderRoute,
});

/** A route, with the title of its issue. */
interface TitledRoute extends Route {
  title: string;
  /** The finding of each rule, if requested. */
  rules?: RuleFinding[];
}

/** Renders the first role with the reason, and the steps. */
function renderRoute(output: TitledRoute, view: RenderView): string {
  const { issueNumber, title, first, why, workflow, steps, parts, rules = [] } = output;
  const { style, width } = view;
  const agents = first.length === 0 ? "nobody" : first.map(({ agent }) => agent).join(", ");
  return [
    terminalLine(`  #${issueNumber} ${title}`, width),
    `  ${style.bold(terminalLine(`-> ${agents}`, width - 2))}`,
    ...why.flatMap((reason) => terminalBlock(reason, { indent: "     ", width })).map(style.dim),
    "",
    ...rules.length === 0 ? [] : [...ruleLines(rules, view), ""],
    ...stepLines(workflow, steps, view),
    ...(parts === null
      ? []
      : ["", ...stepLines(`each part: ${parts.workflow}`, parts.steps, view)]),
  ].join("\n");
}

/** Renders the rules: a label overrules them, and the first rule that fits decides. */
function ruleLines(rules: readonly RuleFinding[], { style, width }: RenderView): string[] {
  const lines = rules.map(({ rule, label, found, decides }) => {
    const words = found === null ? "-" : found.map((word) => word.trim()).join(", ");
    const mark = decides ? "->" : "";
    const text = `  ${mark.padStart(4)} ${rule.padEnd(11)} ${label.padEnd(12)} ${words}`;
    const line = terminalLine(text, width);
    return decides ? line : style.dim(line);
  });
  return [style.bold("  rules"), ...lines];
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
