// Figures about clarifications, for a terminal and for markdown. Pure.

import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { formatDuration } from "../../base/time.ts";
import type { ClarificationStats, Count } from "../stats.ts";

/** A figure and what it is about; both are ours, and plain text. */
export interface Figure {
  label: string;
  value: string;
}

/** A list of what is common. */
export interface Ranking {
  heading: string;
  counts: readonly Count[];
}

/** The figures that are one number or two, in words. */
export function figuresOf(stats: ClarificationStats): Figure[] {
  const { total, resolvedWithoutHuman, escalated, open, averageRounds, timeToAnswerMs } = stats;
  const share = (count: number) =>
    total === 0 ? "0" : `${count} (${Math.round(100 * count / total)}%)`;
  return [
    { label: "Clarifications", value: String(total) },
    { label: "Resolved without a human", value: share(resolvedWithoutHuman) },
    { label: "Escalated", value: share(escalated) },
    { label: "Open", value: share(open) },
    { label: "Average rounds", value: averageRounds?.toFixed(1) ?? "-" },
    {
      label: "Time to answer",
      value: timeToAnswerMs === null ? "-" : `${formatDuration(timeToAnswerMs.median)} (median), ` +
        `${formatDuration(timeToAnswerMs.p90)} (90% within)`,
    },
  ];
}

/** The rankings, which hold what agents wrote. */
export function rankingsOf({ topics, asking, asked }: ClarificationStats): Ranking[] {
  return [
    { heading: "Most common topics", counts: topics },
    { heading: "Ask most", counts: asking },
    { heading: "Most asked", counts: asked },
  ].filter(({ counts }) => counts.length > 0);
}

/** Figures for a terminal: a line for each, then the rankings. */
export function renderStats(
  stats: ClarificationStats,
  view: RenderView,
  more: readonly Figure[] = [],
): string {
  const { style, width } = view;
  const lists = rankingsOf(stats).map(({ heading, counts }) => {
    const lines = counts.map(({ name, count }) =>
      terminalLine(`  ${String(count).padStart(4)}  ${name}`, Math.max(40, width))
    );
    return [style.dim(`  ${heading.toUpperCase()}`), ...lines].join("\n");
  });
  return [renderFigures([...figuresOf(stats), ...more], view), ...lists].join("\n\n");
}

/** A line for each figure. */
export function renderFigures(figures: readonly Figure[], { style }: RenderView): string {
  const column = Math.max(...figures.map(({ label }) => label.length));
  return figures.map(({ label, value }) => `  ${label.padEnd(column)}  ${style.bold(value)}`)
    .join("\n");
}
