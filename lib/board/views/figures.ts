// Renders the figures: the most important ones with their trend, the others in a table. Pure.

import { html } from "hono/html";
import type { Figure, WeeklyFigures } from "../../work/figures/figures.ts";
import { amountText, stepText, targetText, valueText } from "../../work/figures/render.ts";
import { type Html, line } from "./parts.ts";

/** Sizes in pixels. */
const PLOT = { width: 400, height: 64, bar: 24 };

/** Minimum top of the scale, for weeks without values. */
const LEAST_TOP = 1;

/** The main figures: whether agents work without people, how fast work is done, and whether memory is useful. */
const MAIN = [
  "resolvedWithoutHuman",
  "tasksThatAsked",
  "timeToAnswer",
  "closed",
  "timePerIssue",
  "used",
];

export function figuresView(all: WeeklyFigures): Html {
  const weeksOf = (name: string) =>
    all.weeks.map(({ week, figures }) => ({
      week,
      figure: figures.find((each) => each.name === name)!,
    }));
  const main = MAIN.map((name) => all.figures.find((figure) => figure.name === name)!);
  const others = all.figures.filter(({ name }) => !MAIN.includes(name))
    .sort((a, b) => Number(a.value === null) - Number(b.value === null));
  return html`
    <h1>Figures <small>${all.from} to ${all.to}, UTC</small></h1>
    <div class="figures">${main.map((figure) => card(figure, weeksOf(figure.name)))}</div>
    <details id="other-figures"><summary>All other figures</summary>
    <table>
    <thead><tr><th>Figure</th><th>Value</th><th>Target</th><th>How it is measured</th></tr></thead>
    <tbody>${others.map((figure) =>
      html`
        <tr>
          <td>${figure.label}</td>
          <td>${valueText(figure)}</td>
          <td>${targetTag(figure, "")}</td>
          <td class="dim">${figure.value === null ? "No data yet. " : ""}${figure.measure}</td>
        </tr>
      `
    )}</tbody></table>${all.steps.length === 0 ? "" : html`
      <h2>Steps</h2>
      <ul class="lines">${all.steps.map((step) =>
        html`<li>${line(step.step)}: ${stepText(step)}</li>`
      )}</ul>
    `}</details>
  `;
}

/** A figure in one week. */
interface Week {
  week: string;
  figure: Figure;
}

function card(figure: Figure, weeks: readonly Week[]): Html {
  const { label, value, measure } = figure;
  const shown = value === null ? html`<p class="dim">No data yet</p>` : html`
    <p><b>${valueText(figure)}</b> ${targetTag(figure)}</p>
    <p class="dim">${trend(weeks)}</p>
    ${plot(figure, weeks)}
  `;
  return html`<section class="figure"><h2>${label}</h2>${shown}<p><small>${measure}</small></p></section>`;
}

function targetTag(figure: Figure, before = "target "): Html | string {
  const target = targetText(figure);
  if (target === "") return "";
  return html`<span class="tag ${figure.isMet === false ? "hot" : ""}">${before}${target}</span>`;
}

/** Compares the latest week that has a value with the previous one. */
function trend(weeks: readonly Week[]): string {
  const [last, before] = weeks.filter(({ figure }) => figure.value !== null).reverse();
  if (last === undefined) return "";
  const { value, unit } = last.figure;
  const now = `${last.week}: ${amountText(value!, unit)}`;
  if (before === undefined) return now;
  const earlier = before.figure.value!;
  const way = value! > earlier ? "up from" : value! < earlier ? "down from" : "the same as";
  return `${now}, ${way} ${amountText(earlier, unit)} in ${before.week}`;
}

function plot({ label, target }: Figure, weeks: readonly Week[]): Html {
  const { width, height, bar } = PLOT;
  const bounds = Object.values(target ?? {});
  const highest = Math.max(LEAST_TOP, ...bounds, ...weeks.map(({ figure }) => figure.value ?? 0));
  const y = (value: number) => round(height - value / highest * height);
  const said = weeks.map(({ week, figure }) => `${week} ${valueText(figure)}`);
  return html`
    <svg class="plot" viewBox="0 -1 ${width} ${height + 2}" role="img"
      aria-label="${label} for each week: ${said.join(", ")}">${weeks.map(
        ({ figure: { value } }, index) => {
          const left = round(index * width / weeks.length);
          return html`
            <path class="bar" d="M${left} ${height}V${y(value ?? 0)}h${bar}V${height}z">
              <title>${said[index]}</title>
            </path>
          `;
        },
      )}${bounds.map((value) => html`<path class="target" d="M0 ${y(value)}H${width}" />`)}</svg>
  `;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
