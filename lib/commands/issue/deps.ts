import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { flag } from "../../cli/spec.ts";
import { type Dependencies, dependenciesOf } from "../../work/queue/dependency_graph.ts";
import { mermaidOf, renderDependencies } from "../../work/render/dependencies.ts";

interface DepsOutput extends Dependencies {
  /** The chart, where it was asked for. */
  mermaid?: string;
}

export const command = defineCommand({
  kind: "dependencies",
  examples: ["agentx deps 42", "agentx deps 42 --mermaid"],
  input: {
    mermaid: flag("As a Mermaid chart"),
    issue: issueNumber,
  },
  positional: ["issue"],
  async run(context, { mermaid, issue }) {
    const { issues } = await context.openWorkspace();
    const { issues: known, problems } = issues.scan();
    const output: DepsOutput = dependenciesOf(issues.get(issue), known);
    if (mermaid) output.mermaid = mermaidOf(output);
    return { output, exitCode: noteProblems(context.io, problems) };
  },
  render: (output, view) => output.mermaid ?? renderDependencies(output, view),
});
