import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderCompactions } from "../../memory/render/compactions.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";

/** Merges old observations, or takes that back. */
export const command = defineCommand({
  kind: "memory.compaction",
  examples: [
    "agentx memory compact --dry-run",
    "agentx memory compact --issue 42",
    "agentx memory compact --undo --issue 42",
  ],
  input: {
    issue: optional(issueNumber, "Only this issue"),
    dryRun: flag("Only say what would be done"),
    undo: flag("Bring the originals of an issue back"),
  },
  async run(context, { issue, dryRun: isDryRun, undo }) {
    const wrong = !undo
      ? undefined
      : issue === undefined
      ? { field: "--issue", value: null, why: "--issue is required with --undo" }
      : isDryRun
      ? { field: "--dry-run", value: true, why: "--undo has no --dry-run" }
      : undefined;
    if (wrong !== undefined) throw usageError(context.name, wrong);
    const { store } = await (await context.openState()).memory();
    const restored = undo ? await store.restore(issue!) : [];
    const issues = undo ? [] : issue === undefined ? await issuesIn(store) : [issue];
    const compactions = [];
    for (const number of issues) {
      const compaction = await store.compact(number, { isDryRun });
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
