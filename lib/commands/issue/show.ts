/**
 * The commands that show issues: `agentx issue list` and `get`.
 *
 * @module
 */

import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { flag, optional } from "../../cli/spec.ts";
import { isOpen } from "../../work/issue/issue.ts";
import { issueRow } from "../../work/issue/row.ts";
import { renderIssue, renderIssues } from "../../work/render/issues.ts";
import { labels, status } from "./input.ts";

export const list = defineCommand({
  kind: "issue.list",
  examples: ["agentx issue list", "agentx issue list -l type:bug -s Ready", "agentx issue list -a"],
  input: {
    all: flag("Include closed issues", { short: "a" }),
    label: optional(labels, "Only issues with all of these labels", { short: "l" }),
    status: optional(status, "Only issues in this column, even closed ones"),
  },
  async run(context, { label = [], status, all }) {
    const { issues } = await context.openWorkspace();
    const scan = issues.scan();
    const wanted = label.map((label) => label.trim());
    const rows = scan.issues
      .filter((issue) => status !== undefined ? issue.status === status : all || isOpen(issue))
      .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
      .map(issueRow);
    return { output: { issues: rows }, exitCode: noteProblems(context.io, scan.problems) };
  },
  render({ issues }, view) {
    if (issues.length > 0) return renderIssues(issues, view);
    return [
      "  No matching issues.",
      view.style.dim('  Create one with: agentx issue create -t "..." -l type:bug'),
    ].join("\n");
  },
});

export const get = defineCommand({
  kind: "issue",
  examples: ["agentx issue get 42", "agentx issue get -i 42 --json"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues } = await context.openWorkspace();
    return { output: { issue: issues.get(issue) } };
  },
  render: ({ issue }, view) => renderIssue(issue, view),
});
