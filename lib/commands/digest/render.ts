// Renders a digest for people. Pure.

import { formatDuration } from "../../base/time.ts";
import { renderFigures } from "../../text/figure_lines.ts";
import { formatTable } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { formatIsoWeek } from "../../work/figures/iso_week.ts";
import { columnTimes, type Digest } from "../../work/figures/figures.ts";
import { renderFigureValues } from "../../work/figures/render.ts";

/** Renders the digest, with the path of its file. */
export function renderDigest(digest: Digest, path: string, view: RenderView): string {
  const { style } = view;
  const head = `${style.bold(`Digest ${formatIsoWeek(digest)}`)}, ${digest.from} to ${digest.to}`;
  return [
    `  ${head} (UTC)`,
    renderFigureValues(digest, view),
    renderIssues(digest, view),
    renderAssumptions(digest, view),
    style.dim(`  Written to ${terminalLine(path)}`),
  ].join("\n\n");
}

function renderIssues({ closedIssues }: Digest, view: RenderView): string {
  if (closedIssues.length === 0) return "  No issues were closed.";
  const rows = closedIssues.map(({ number, title, closed, cycleMs }) => [
    `#${number}`,
    closed.slice(0, 10),
    cycleMs === null ? "-" : formatDuration(cycleMs),
    title,
  ]);
  const table = formatTable(["ISSUE", "CLOSED", "TOOK", "TITLE"], rows, view);
  const figures = columnTimes(closedIssues).map(({ label, value }) => {
    return { label: terminalLine(label, 40), value };
  });
  return figures.length === 0 ? table : `${table}\n\n${renderFigures(figures, view)}`;
}

function renderAssumptions({ assumptions }: Digest, view: RenderView): string {
  if (assumptions.length === 0) return "  No assumptions were made.";
  const rows = assumptions.map(({ agent, issue, confidence, decision, status }) => [
    agent,
    `#${issue}`,
    confidence,
    status,
    decision,
  ]);
  return formatTable(["AGENT", "ISSUE", "CONFIDENCE", "STATUS", "ASSUMPTION"], rows, view);
}
