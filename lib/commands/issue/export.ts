// Exports issues for other tools and for a later import: their present state, with comments. The history stays in the
// files of `.agentx/issues`, which git has.

import { defineCommand } from "../../cli/command.ts";
import { timesOf } from "../../work/issue/history.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { IssueView } from "../../work/issue/issue_files.ts";
import { encodeJson } from "../../text/text.ts";

export const command = defineCommand({
  kind: "issue.export",
  examples: ["agentx issue export >issues.jsonl", "agentx issue export --json"],
  async run(context): Promise<{ output: { issues: ExportedIssue[] } }> {
    const { issues } = await context.openWorkspace();
    return { output: { issues: exportedFrom(issues.view()) } };
  },
  render: ({ issues }) => issues.map((issue) => encodeJson(issue)).join("\n"),
});

/** An issue as `agentx issue export` prints it. */
interface ExportedIssue extends
  Omit<
    Issue,
    "claimed" | "leaseUntil" | "linkedUids" | "reopened" | "stepClaims"
  > {
  /** The time when the issue was closed, ISO-8601, UTC; null while it is open. */
  closed: string | null;
}

/** Returns all issues that are not deleted, by number. */
function exportedFrom({ byUid }: IssueView): ExportedIssue[] {
  return [...byUid.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .sort((a, b) => a.issue.number - b.issue.number)
    .map((known) => {
      const {
        claimed: _c,
        leaseUntil: _l,
        linkedUids: _u,
        reopened: _r,
        stepClaims: _s,
        ...issue
      } = known.issue;
      return { ...issue, closed: timesOf(known).closed };
    });
}
