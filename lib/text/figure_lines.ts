// Renders figures for a terminal, one on each line. Pure.

import type { RenderView } from "./view.ts";

/** A figure and its label; both are our own plain text. */
interface Figure {
  label: string;
  value: string;
}

/** Renders a line for each figure. */
export function renderFigures(figures: readonly Figure[], { style }: RenderView): string {
  const column = Math.max(...figures.map(({ label }) => label.length));
  return figures.map(({ label, value }) => `  ${label.padEnd(column)}  ${style.bold(value)}`)
    .join("\n");
}
