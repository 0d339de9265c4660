// The figures week by week: a picture of each, and a table behind it that says the same. Pure.

import { html } from "hono/html";
import type { Figure, WeeklyFigures } from "../../work/figures/figures.ts";
import {
  amountText,
  stepText,
  targetText,
  valueText,
  whyNoValue,
} from "../../work/figures/render.ts";
import { type Html, line } from "./parts.ts";

/** Sizes in pixels. */
const PLOT = { width: 420, height: 150, left: 64, right: 8, top: 10, bottom: 24 };

/** A scale without values ends there. */
const LEAST_TOP = 1;

/** @returns the view */
export function figuresView(all: WeeklyFigures): Html {
  const weeksOf = (name: string) =>
    all.weeks.map(({ week, figures }) => ({
      week,
      figure: figures.find((each) => each.name === name)!,
    }));
  const shown = all.figures.filter(({ value }) => value !== null);
  const missing = all.figures.filter(({ value }) => value === null);
  return html`
    <h1>Figures <small>${all.from} to ${all.to}, UTC</small></h1>
    <div class="figures">${shown.map((figure) =>
      card(figure, weeksOf(figure.name))
    )}</div>${all.steps.length === 0 ? "" : html`
      <h2>Steps</h2>
      <ul class="lines">${all.steps.map((step) =>
        html`<li>${line(step.step)}: ${stepText(step)}</li>`
      )}</ul>
    `}<h2>Without a value</h2><ul
      class="lines dim">${missing.map((figure) =>
        html`<li><b>${figure.label}</b> ${whyNoValue(figure)}</li>`
      )}</ul>
  `;
}

/** A figure in one week. */
interface Week {
  week: string;
  figure: Figure;
}

function card(figure: Figure, weeks: readonly Week[]): Html {
  const target = targetText(figure);
  return html`<section class="figure"><h2>${figure.label}</h2>
<p><b>${valueText(figure)}</b>${
    target === "" ? "" : html`
      <span class="tag ${figure.isMet === false ? "hot" : ""}">target: ${target}</span>
    `
  }</p>
${plot(figure, weeks)}
<details><summary>Table</summary><p class="dim">${figure.measure}</p><table class="plain">
<thead><tr><th>Week</th><th>${figure.label}</th></tr></thead><tbody>${
    weeks.map(({ week, figure: each }) =>
      html`
        <tr>
          <td>${week}</td>
          <td>${valueText(each)}</td>
        </tr>
      `
    )
  }</tbody></table></details></section>`;
}

function plot({ label, unit, target }: Figure, weeks: readonly Week[]): Html {
  const { width, height, left, right, top, bottom } = PLOT;
  const bounds = Object.values(target ?? {});
  const values = weeks.flatMap(({ figure }) => figure.value ?? []);
  const highest = unit === "share" ? 1 : Math.max(LEAST_TOP, ...values, ...bounds);
  const isOdd = unit === "count" && highest % 2 === 1;
  const ticks = isOdd ? [0, highest] : [0, highest / 2, highest];
  const y = (value: number) => round(height - bottom - value / highest * (height - top - bottom));
  const step = (width - left - right) / weeks.length;
  const x = (index: number) => round(left + index * step);
  const bar = round(step * 0.7);
  return html`
    <svg class="plot" viewBox="0 0 ${width} ${height}" role="img"
      aria-label="${label} for each week; the table says the same">
    ${ticks.map((value) =>
      html`
        <path class="grid" d="M${left} ${y(value)}H${width - right}" />
        <text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${amountText(
          value,
          unit,
        )}</text>
      `
    )}${weeks.map(({ week, figure: { value } }, index) =>
      html`${
        value === null ? "" : html`
          <path class="bar" d="M${x(index)} ${y(0)}V${y(value)}h${bar}V${y(0)}z" />
        `
      }${
        index % 3 === 0
          ? html`<text x="${x(index)}" y="${height - 6}">${week.slice("2026-".length)}</text>`
          : ""
      }`
    )}${bounds.map((value) =>
      html`
        <path class="target" d="M${left} ${y(value)}H${width - right}" />
      `
    )}</svg>
  `;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
