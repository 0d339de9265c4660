/**
 * What was merged, or brought back, as people read it. Pure.
 *
 * @module
 */

import { formatTable } from "../../text/table.ts";
import type { RenderView } from "../../text/view.ts";
import type { Observation } from "../schema.ts";
import { renderEntries } from "./observations.ts";

/** What was merged, or what was brought back; that is null where nothing was undone. */
interface Compactions {
  isDryRun: boolean;
  compactions: readonly { issueNumber: number; before: number; after: number }[];
  restored: readonly Observation[] | null;
}

/** @returns a line for each issue */
export function renderCompactions(
  { isDryRun, compactions, restored }: Compactions,
  view: RenderView,
): string {
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
}

function renderRestored(restored: readonly Observation[], view: RenderView): string {
  if (restored.length === 0) return "  Nothing of this issue is in the archive.";
  return `${renderEntries(restored, view)}\n\n  Brought back: ${restored.length}`;
}
