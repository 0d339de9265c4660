// `agentx issue history`, `undo` and `delete`.

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, firstRows, issueName, rowLimit } from "../../cli/inputs.ts";
import { optional, rule } from "../../cli/spec.ts";
import { changeIdOf } from "../../lines/line.ts";
import { historyOf, undoableIn } from "../../work/issue/history.ts";
import { terminalLine } from "../../text/text.ts";
import { renderHistory, renderUndone } from "../../work/render/history.ts";

const changeId = {
  ...rule(/^[\w~-]{1,128}$/, "be the id of a change, as the history shows it"),
  description: "Change to undo (default: the latest)",
  placeholder: "CHANGE",
};

export const history = defineCommand({
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

export const undo = defineCommand({
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

export const remove = defineCommand({
  kind: "issue.delete",
  examples: ["agentx issue delete 42"],
  input: { issue: issueName, as: asAgent },
  positional: ["issue"],
  async run(context, { issue: name, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    const { ref } = issues.getKnown(name);
    return { output: { ref, issue: await issues.delete(name, by) } };
  },
  render: ({ ref, issue: { title } }, { style, width }) => {
    const head = `Deleted ${ref}: `;
    const undo = `Bring it back with: agentx issue undo ${ref.slice(1)}`;
    return [
      `  ${style.bold(head)}${terminalLine(title, Math.max(20, width - head.length - 2))}`,
      style.dim(`  ${undo}`),
    ].join("\n");
  },
});
