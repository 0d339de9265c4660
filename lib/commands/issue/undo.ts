import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueName } from "../../cli/inputs.ts";
import { optional, rule } from "../../cli/spec.ts";
import { changeIdOf } from "../../lines/line.ts";
import { historyOf, undoableIn } from "../../work/issue/history.ts";
import { renderUndone } from "./render_history.ts";

const changeId = {
  ...rule(/^[\w~-]{1,128}$/, "be the id of a change, as the history shows it"),
  description: "Change to undo (default: the latest)",
  placeholder: "CHANGE",
};

export const command = defineCommand({
  kind: "issue.undo",
  examples: ["agentx issue undo 42", "agentx issue undo 42 k3f9a2b1c0de"],
  input: { issue: issueName, change: optional(changeId), as: asAgent },
  positional: ["issue", "change"],
  async run(context, { issue: name, change: wanted, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    const known = issues.getKnown(name);
    const { change, ids } = undoableIn(known, wanted);
    const issue = await issues.undo(name, ids, by);
    const undone = historyOf(known).find((entry) => entry.change === change)!;
    const redo = changeIdOf(issues.getKnown(name).lines.findLast(({ op }) => op === "undo")!.id);
    return { output: { ref: known.ref, issue, undone, redo } };
  },
  render: renderUndone,
});
