// Renders figures for people. Pure.

import { formatDuration } from "../../base/time.ts";
import { formatTable } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Count, Figure, Figures, StepFigure, WeeklyFigures } from "./figures.ts";

/** Renders the figures that have a value, with one column per week, then the figures that have no data yet. */
export function renderWeeklyFigures(all: WeeklyFigures, view: RenderView): string {
  const missing = all.figures.filter(({ value }) => value === null)
    .map((figure) => [figure.label, targetText(figure), figure.measure]);
  const { style } = view;
  return [
    `  ${style.bold("Figures")}, ${all.from} to ${all.to} (UTC)`,
    renderFigureValues(all, view, all.weeks),
    ...missing.length === 0 ? [] : [
      style.dim("  NO DATA YET"),
      formatTable(["FIGURE", { whole: "TARGET" }, "MEASURE"], missing, view),
    ],
  ].join("\n\n");
}

/** Renders the figures that have a value, and the lists of steps, topics and roles. */
export function renderFigureValues(
  all: Figures,
  view: RenderView,
  weeks: WeeklyFigures["weeks"] = [],
): string {
  const rows = all.figures.filter(({ value }) => value !== null).map((figure) => [
    figure.label,
    figure.isMet === false
      ? { text: valueText(figure), mark: "yellow" as const }
      : valueText(figure),
    targetText(figure),
    ...weeks.map(({ figures }) => valueText(figures.find(({ name }) => name === figure.name)!)),
  ]);
  const headings = ["FIGURE", { whole: "VALUE" }, { whole: "TARGET" }];
  const steps = all.steps.map((figure) => ({ name: figure.step, text: stepText(figure) }));
  const lists = rankingsOf(all).map(({ heading, counts }) => ({
    heading,
    lines: counts.map(({ name, count }) => `  ${String(count).padStart(4)}  ${name}`),
  }));
  if (steps.length > 0) {
    lists.unshift({ heading: "Steps", lines: steps.map(({ name, text }) => `  ${name}: ${text}`) });
  }
  return [
    formatTable([...headings, ...weeks.map(({ week }) => ({ spare: week }))], rows, view),
    ...lists.map(({ heading, lines }) =>
      [
        view.style.dim(`  ${heading.toUpperCase()}`),
        ...lines.map((line) => terminalLine(line, Math.max(40, view.width))),
      ].join("\n")
    ),
  ].join("\n\n");
}

/** Formats a value with its unit; `-` if there is no value. */
export function valueText({ value, unit, count, of }: Figure): string {
  if (value === null) return "-";
  const text = amountText(value, unit);
  return unit === "share" ? `${text} (${count} of ${of})` : text;
}

/** Formats a target in words; empty if there is no target. */
export function targetText({ target, unit }: Figure): string {
  if (target === null) return "";
  const text = (value: number) => amountText(value, unit);
  const { above, below, min, max } = target;
  if (above !== undefined) return `over ${text(above)}`;
  if (below !== undefined) return `under ${text(below)}`;
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  return min === undefined || min === 1 ? text(min ?? max!) : `at least ${text(min)}`;
}

/** Formats how often a step was completed, with its median time and tokens. */
export function stepText({ done, medianMs, medianTokens }: StepFigure): string {
  return [
    `${done} done`,
    ...medianMs === null ? [] : [amountText(medianMs, "ms")],
    ...medianTokens === null ? [] : [`${amountText(medianTokens, "tokens")} tokens`],
  ].join(", ");
}

/** Returns the lists of the commonest topics and roles. Agents chose these names. */
export function rankingsOf(
  { topics, asking, asked }: Figures,
): { heading: string; counts: readonly Count[] }[] {
  return [
    { heading: "Most common topics", counts: topics },
    { heading: "Ask most", counts: asking },
    { heading: "Most asked", counts: asked },
  ].filter(({ counts }) => counts.length > 0);
}

/** Formats a number with its unit. */
export function amountText(value: number, unit: Figure["unit"]): string {
  if (unit === "share") return percent(value);
  if (unit === "average") return String(Math.round(10 * value) / 10);
  if (unit !== "ms") return String(Math.round(value));
  return value < 1_000 ? `${Math.round(value)}ms` : formatDuration(value);
}

function percent(share: number): string {
  return `${Math.round(1_000 * share) / 10}%`;
}
