/**
 * A digest as markdown. Pure; what agents wrote stands in code spans, where it has no effect.
 *
 * @module
 */

import { figuresOf, rankingsOf } from "../../clarify/render/stats.ts";
import type { ClarificationStats } from "../../clarify/stats.ts";
import type { UseStats } from "../../memory/recall/displacement.ts";
import { useFigures } from "../../memory/render/stats.ts";
import { markdownLine } from "../../text/text.ts";
import { formatIsoWeek } from "./iso_week.ts";
import { type Assumption, type Digest, timeFigures } from "./schema.ts";

/**
 * @param digest the digest of a week
 * @returns the whole file
 */
export function digestMarkdown(digest: Digest): string {
  const { from, to, clarifications, closedIssues, assumptions, memory } = digest;
  const parts = [
    `# Digest ${formatIsoWeek(digest)}`,
    `${from} to ${to} (UTC)`,
    "## Clarifications",
    figuresTable(clarifications),
    ...outcomesChart(clarifications),
    ...rankingsOf(clarifications).flatMap(({ heading, counts }) => [
      `### ${heading}`,
      counts.map(({ name, count }) => `- ${count}: ${markdownLine(name)}`).join("\n"),
    ]),
    `## Closed issues: ${closedIssues.length}`,
    ...list(closedIssues.map(({ number, title }) => `${number}: ${markdownLine(title)}`)),
    ...list(
      timeFigures(closedIssues).map(({ label, value }) => `${markdownLine(label)}: ${value}`),
    ),
    `## Assumptions taken: ${assumptions.length}`,
    ...list(assumptions.map(assumptionLine)),
    ...memoryFigures(memory),
  ];
  return parts.join("\n\n") + "\n";
}

function figuresTable(stats: ClarificationStats): string {
  const rows = figuresOf(stats).map(({ label, value }) => `| ${label} | ${value} |`);
  return ["| | |", "|---|---|", ...rows].join("\n");
}

function memoryFigures(use: UseStats): string[] {
  const figures = useFigures(use);
  if (figures.length === 0) return [];
  return ["## Memory", ...list(figures.map(({ label, value }) => `${label}: ${value}`))];
}

/** Mermaid refuses a chart without any slice. */
function outcomesChart(stats: ClarificationStats): string[] {
  const slices = Object.entries({
    "Resolved without a human": stats.resolvedWithoutHuman,
    "Resolved with a human": stats.resolvedWithHuman,
    "Open": stats.open,
    "Abandoned": stats.abandoned,
  }).filter(([, count]) => count > 0);
  if (slices.length === 0) return [];
  const lines = slices.map(([label, count]) => `  "${label}" : ${count}`);
  return [["```mermaid", "pie showData", ...lines, "```"].join("\n")];
}

function assumptionLine(
  { decision, agent, issue, confidence, riskIfWrong, status }: Assumption,
): string {
  const facts = [
    status === null ? "" : markdownLine(status),
    agent === null ? "" : `by ${markdownLine(agent)}`,
    issue === null ? "" : `issue ${issue}`,
    confidence === null ? "" : `confidence ${markdownLine(confidence)}`,
    riskIfWrong === null ? "" : `risk if wrong: ${markdownLine(riskIfWrong)}`,
  ];
  return [markdownLine(decision), ...facts.filter((fact) => fact !== "")].join(", ");
}

function list(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];
}
