import { defineCommand } from "../../cli/command.ts";
import { firstRows, issueName, rowLimit } from "../../cli/inputs.ts";
import { historyOf } from "../../work/issue/history.ts";
import { renderHistory } from "./render_history.ts";

export const command = defineCommand({
  kind: "issue.history",
  examples: ["agentx issue history 42", "agentx issue history 42 --limit 5 --json"],
  input: { limit: rowLimit, issue: issueName },
  positional: ["issue"],
  async run(context, { issue: name, limit }) {
    const { issues } = await context.openWorkspace();
    const known = issues.getKnown(name);
    const { rows, more } = firstRows(historyOf(known), limit);
    const { ref, isDeleted, issue: { uid, title } } = known;
    return { output: { ref, uid, title, isDeleted, changes: rows, more } };
  },
  render: renderHistory,
});
