import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderEntries } from "../../memory/render/observations.ts";
import type { Observation } from "../../memory/schema.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";
import { formatTable } from "../../text/table.ts";
import type { RenderView } from "../../text/view.ts";

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
  render({ isDryRun, compactions, restored }, view) {
    if (restored !== null) return renderRestored(restored, view);
    if (compactions.length === 0) return "  Nothing is old enough to be merged.";
    const rows = compactions.map(({ issueNumber, before, after }) => [
      `#${issueNumber}`,
      String(before),
      String(after),
      `${Math.round(100 * (before - after) / before)}%`,
    ]);
    const end = isDryRun
      ? "Nothing was changed: this was a dry run."
      : "Take it back with: agentx memory compact --undo --issue N";
    const table = formatTable(["ISSUE", "BEFORE", "AFTER", "FEWER"], rows, view);
    return `${table}\n\n  ${view.style.dim(end)}`;
  },
});

async function issuesIn(store: JsonObservationStore): Promise<number[]> {
  const all = await store.listAll();
  return [...new Set(all.map(({ issueNumber }) => issueNumber))];
}

function renderRestored(restored: readonly Observation[], view: RenderView): string {
  if (restored.length === 0) return "  Nothing of this issue is in the archive.";
  return `${renderEntries(restored, view)}\n\n  Brought back: ${restored.length}`;
}
