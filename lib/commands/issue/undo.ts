import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueName } from "../../cli/inputs.ts";
import { optional, rule } from "../../cli/spec.ts";
import type { Operation } from "../../events/operations.ts";
import { changeIdOf } from "../../lines/line.ts";
import { type HistoryEntry, historyOf, undoableIn } from "../../work/issue/history.ts";
import { takeBack } from "../undo/take_back.ts";
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
    const acting = actingAgent(context.io, as);
    const state = await context.openWorkspace();
    const { issues } = state;
    const known = issues.getKnown(name);
    const { change, ids } = undoableIn(known, acting.name(), wanted);
    const undone = historyOf(known).find((entry) => entry.change === change)!;
    const all = state.operations.list();
    const { uid } = known.issue;
    const operation = all.find(({ effects }) =>
      effects.some((effect) =>
        "lines" in effect && effect.lines[uid]?.includes(ids[0])
      )
    ) ?? onlyOf(undone, { uid, ids });
    await takeBack(context, state, operation, { all, acting });
    const after = issues.getKnown(name);
    const redo = changeIdOf(after.lines.findLast(({ op }) => op === "undo")!.id);
    return { output: { ref: known.ref, issue: after.issue, undone, redo } };
  },
  render: renderUndone,
});

/** Makes an operation for a change by another machine or an earlier version, which no operation here has. */
function onlyOf(
  { change, time, by }: HistoryEntry,
  { uid, ids }: { uid: string; ids: string[] },
): Operation {
  const effects = [{ of: "issues" as const, lines: { [uid]: ids } }];
  return { id: change, time, by, command: "a change", effects, undoes: null, isUndone: false };
}
