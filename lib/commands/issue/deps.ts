import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { flag } from "../../cli/spec.ts";
import { type Dependencies, dependenciesOf } from "./dependency_graph.ts";
import { linksOf } from "../../work/issue/dependencies.ts";
import { mermaidOf, renderDependencies } from "./render_deps.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { type IssueElsewhere, issueElsewhere } from "../../workspace/linked_projects.ts";

interface DepsOutput extends Dependencies {
  /** The issues of other projects that it waits for. */
  elsewhere: IssueElsewhere[];
  /** The chart, if requested. */
  mermaid?: string;
}

export const command = defineCommand({
  kind: "dependencies",
  examples: ["agentx issue deps 42", "agentx issue deps 42 --mermaid"],
  input: {
    mermaid: flag("As a Mermaid chart"),
    issue: issueNumber,
  },
  positional: ["issue"],
  async run(context, { mermaid, issue }) {
    const { issues } = await context.openWorkspace();
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
