import { defineCommand } from "../../cli/command.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { flag, optional } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { checkBlockers, checkLabelOptions, noteDependencies } from "./checks.ts";
import { blockerLabel } from "./input.ts";
import { type Dependencies, dependenciesOf } from "./dependency_graph.ts";
import { linksOf, waitLabelOf } from "../../work/issue/dependencies.ts";
import { mermaidOf, renderDependencies } from "./render_deps.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { type IssueElsewhere, issueElsewhere } from "../../workspace/linked_projects.ts";

interface DepsOutput extends Dependencies {
  /** The issues of other projects that the issue waits for. */
  elsewhere: IssueElsewhere[];
  /** The chart, if requested. */
  mermaid?: string;
}

export const command = defineCommand({
  kind: "dependencies",
  examples: [
    "agentx issue deps 42",
    "agentx issue deps 42 --on 12",
    "agentx issue deps 42 --mermaid",
  ],
  input: {
    on: optional(issueNumber, "Issue to wait for from now on", { short: undefined }),
    off: optional(issueNumber, "Issue to stop waiting for", { short: undefined }),
    as: asAgent,
    mermaid: flag("Print a Mermaid chart"),
    issue: issueNumber,
  },
  positional: ["issue"],
  async run(context, { mermaid, issue, on, off, as }) {
    const workspace = await context.openWorkspace();
    const { issues } = workspace;
    if (on !== undefined || off !== undefined) {
      const added = on === undefined ? [] : [blockerLabel(on)];
      const removed = off === undefined ? [] : [blockerLabel(off)];
      checkLabelOptions(context.name, { number: issue, added, removed });
      checkBlockers(added, workspace);
      const by = actingAgent(context.io, as).name();
      const removeLabels = off === undefined ? [] : [labelOf(issues.get(issue), off)];
      const changed = await issues.update(issue, { addLabels: added, removeLabels }, by);
      noteDependencies(context.io, workspace, changed);
    }
    const { issues: known, problems } = issues.scan();
    const asked = issues.get(issue);
    const elsewhere = linksOf(asked).elsewhere.map(issueElsewhere);
    const output: DepsOutput = { ...dependenciesOf(asked, known), elsewhere };
    if (mermaid) output.mermaid = mermaidOf(output);
    return { output, exitCode: noteProblems(context.io, problems) };
  },
  render: (output, view) =>
    output.mermaid ??
      [renderDependencies(output, view), ...renderElsewhere(output.elsewhere, view)].join("\n"),
});

/** Returns the label that says that an issue waits. Throws `NOT_FOUND` if only its body may say so. */
function labelOf({ number, labels }: Issue, blocker: number): string {
  const label = waitLabelOf({ labels }, blocker);
  if (label !== undefined) return label;
  const why = "no label says so; it may stand in its body";
  throw new AgentxError("NOT_FOUND", `Cannot end that #${number} waits for #${blocker}: ${why}`, {
    details: { kind: "dependency", id: `${blocker}` },
    next: `Read it with: agentx issue view ${number}`,
  });
}

function renderElsewhere(
  elsewhere: readonly IssueElsewhere[],
  { style, width }: RenderView,
): string[] {
  if (elsewhere.length === 0) return [];
  const unknown = elsewhere.find(({ title }) => title === null);
  return [
    style.bold("  waits for, in other projects"),
    ...elsewhere.map(({ ref, title, status }) =>
      terminalLine(
        `    ${ref} ${title === null ? "(not known here)" : `${title} (${status})`}`,
        width,
      )
    ),
    ...unknown === undefined
      ? []
      : [style.dim(`  Say where a project is with: agentx link ${unknown.ref.split("#")[0]} DIR`)],
  ];
}
