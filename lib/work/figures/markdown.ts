// Renders a digest as markdown. Pure. Texts of agents are in code spans, so their markdown has no effect.

import type { Assumption } from "../../gate/assumption.ts";
import { markdownLine } from "../../text/text.ts";
import { rankingsOf, stepText, targetText, valueText } from "./render.ts";
import { formatIsoWeek } from "./iso_week.ts";
import { columnTimes, type Digest } from "./figures.ts";

/** Renders the whole digest file. */
export function digestMarkdown(digest: Digest): string {
  const { from, to, closedIssues, assumptions, steps } = digest;
  const parts = [
    `# Digest ${formatIsoWeek(digest)}`,
    `${from} to ${to} (UTC)`,
    "## Figures",
    figuresTable(digest),
    ...clarificationsChart(digest),
    ...rankingsOf(digest).flatMap(({ heading, counts }) => [
      `### ${heading}`,
      counts.map(({ name, count }) => `- ${count}: ${markdownLine(name)}`).join("\n"),
    ]),
    ...list(
      steps.map((figure) => `${markdownLine(figure.step)}: ${stepText(figure)}`),
      "### Steps",
    ),
    `## Closed issues: ${closedIssues.length}`,
    ...list(closedIssues.map(({ number, title }) => `${number}: ${markdownLine(title)}`)),
    ...list(
      columnTimes(closedIssues).map(({ label, value }) => `${markdownLine(label)}: ${value}`),
    ),
    `## Assumptions taken: ${assumptions.length}`,
    ...list(assumptions.map(assumptionLine)),
  ];
  return parts.join("\n\n") + "\n";
}

function figuresTable({ figures }: Digest): string {
  const rows = figures.filter(({ value }) => value !== null).map((figure) =>
    `| ${figure.label} | ${valueText(figure)} | ${targetText(figure)} |`
  );
  return ["| | | Target |", "|---|---|---|", ...rows].join("\n");
}

/** Renders the pie chart. Returns nothing if there is no slice, because Mermaid refuses an empty chart. */
function clarificationsChart({ figures }: Digest): string[] {
  const countOf = (name: string) => figures.find((figure) => figure.name === name)?.count ?? 0;
  const [alone, escalated, open] = ["resolvedWithoutHuman", "escalated", "open"].map(countOf);
  const rest = countOf("clarifications") - alone - escalated - open;
  const slices = Object.entries({
    "Resolved without a human": alone,
    "Escalated": escalated,
    "Waiting for an agent": open,
    "Answered by a human, or abandoned": rest,
  }).filter(([, count]) => count > 0);
  if (slices.length === 0) return [];
  const lines = slices.map(([label, count]) => `  "${label}" : ${count}`);
  return [["```mermaid", "pie showData", ...lines, "```"].join("\n")];
}

function assumptionLine(one: Assumption): string {
  return [
    markdownLine(one.decision),
    one.status,
    `by ${markdownLine(one.agent)}`,
    `issue ${one.issue}`,
    `confidence ${markdownLine(one.confidence)}`,
    `risk if wrong: ${markdownLine(one.risk_if_wrong)}`,
  ].join(", ");
}

function list(lines: readonly string[], ...headings: string[]): string[] {
  return lines.length === 0 ? [] : [...headings, lines.map((line) => `- ${line}`).join("\n")];
}
