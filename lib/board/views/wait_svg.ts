// Draws who waits for whom: agents in columns, an arrow for each wait, and deadlocks in color. Pure.

import { html } from "hono/html";
import { agentLabel } from "../../text/agent_label.ts";
import { terminalLine } from "../../text/text.ts";
import type { Html } from "./parts.ts";

/** One agent waiting for another. */
interface Wait {
  from: string;
  to: string;
  isDeadlock: boolean;
}

/** Sizes in pixels. */
const BOX = { width: 170, height: 34, right: 70, down: 16, edge: 8 };

/** Maximum length of a name; longer names are cut. */
const MAX_NAME = 22;

/** @returns the picture; the list beside it has the same content */
export function waitSvg(waits: readonly Wait[]): Html {
  const places = placesOf(waits);
  const spots = [...places.values()];
  const width = Math.max(...spots.map(({ x }) => x)) + BOX.width + BOX.edge;
  const height = Math.max(...spots.map(({ y }) => y)) + BOX.height + BOX.edge;
  return html`
    <div class="graph">
      <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"
        aria-label="Who waits for whom; the list below says the same">
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path
    d="M0 0L8 4L0 8z"/></marker></defs>
    ${waits.map((wait) => arrow(wait, places))}
    ${Array.from(places, ([name, { x, y }]) =>
      html`
        <g>
          <rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" />
          <text x="${x + BOX.width / 2}" y="${y + 22}" text-anchor="middle">${terminalLine(
            agentLabel(name),
            MAX_NAME,
          )}</text>
        </g>
      `)}</svg>
    </div>
  `;
}

/** Draws an arrow. An arrow to the left or within a column runs below the boxes, so that a circle is visible. */
function arrow({ from, to, isDeadlock }: Wait, places: ReadonlyMap<string, Spot>): Html {
  const [start, end] = [places.get(from)!, places.get(to)!];
  const isForward = start.x < end.x;
  const [x, y] = [start.x + (isForward ? BOX.width : BOX.width / 2), start.y + BOX.height / 2];
  const path = isForward
    ? `M${x} ${y}C${x + BOX.right / 2} ${y} ${end.x - BOX.right / 2} ${
      end.y + BOX.height / 2
    } ${end.x} ${end.y + BOX.height / 2}`
    : `M${x} ${start.y + BOX.height}C${x} ${start.y + 2 * BOX.height} ${end.x + BOX.width / 2} ${
      end.y + 2 * BOX.height
    } ${end.x + BOX.width / 2} ${end.y + BOX.height}`;
  return html`
    <path class="wait${isDeadlock ? " deadlock" : ""}" d="${path}" marker-end="url(#arrow)" />
  `;
}

interface Spot {
  x: number;
  y: number;
}

/** Places each agent to the left of the agent that it waits for, unless they form a circle. */
function placesOf(waits: readonly Wait[]): Map<string, Spot> {
  const columns = new Map<string, number>();
  const place = (name: string, above: readonly string[]): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    const waiters = waits.filter(({ from, to }) => to === name && !above.includes(from));
    const next = [...above, name];
    const column = Math.max(-1, ...waiters.map(({ from }) => place(from, next))) + 1;
    columns.set(name, column);
    return column;
  };
  const counts: number[] = [];
  const names = [...new Set(waits.flatMap(({ from, to }) => [from, to]))];
  return new Map(names.map((name): [string, Spot] => {
    const column = place(name, []);
    const row = counts[column] ?? 0;
    counts[column] = row + 1;
    return [name, {
      x: BOX.edge + column * (BOX.width + BOX.right),
      y: BOX.edge + row * (BOX.height + BOX.down + BOX.height / 2),
    }];
  }));
}
