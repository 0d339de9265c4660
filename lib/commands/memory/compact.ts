import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { renderCompactions } from "./render.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";

/** Archives old observations, or undoes that. */
export const command = defineCommand({
  kind: "memory.compaction",
  capturesSessions: true,
  examples: [
    "agentx memory compact --dry-run",
    "agentx memory compact --issue 42",
    "agentx memory compact --undo --issue 42",
  ],
  input: {
    issue: optional(issueNumber, "Only this issue"),
    dryRun: flag("Only show what would be done"),
    undo: flag("Restore the archived observations of an issue"),
  },
  needs: { undo: ["issue"] },
  conflicts: { undo: ["dryRun"] },
  async run(context, { issue, dryRun: isDryRun, undo }) {
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const restored = undo ? await store.restore(issue!) : [];
    const issues = undo ? [] : issue === undefined ? await issuesIn(store) : [issue];
    const compactions = [];
    for (const issueNumber of issues) {
      const operation = memory.begin("memory-compacted", { issueNumber });
      const compaction = await operation.attempt(() => store.compact(issueNumber, { isDryRun }));
      const { before, after } = compaction;
      if (!isDryRun && before !== after) operation.end({ before, after });
      if (compaction.removed.length > 0) compactions.push(compaction);
    }
    const changes = { compactions, restored: undo ? restored : null };
    return { output: { isDryRun, ...changes } };
  },
  render: renderCompactions,
});

async function issuesIn(store: JsonObservationStore): Promise<number[]> {
  const all = await store.listAll();
  return [...new Set(all.map(({ issueNumber }) => issueNumber))];
}
