import { defineCommand } from "../../cli/command.ts";
import { exportedFrom, type ExportedIssue } from "../../work/issue/imports/export.ts";
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
