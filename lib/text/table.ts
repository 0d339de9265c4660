/**
 * Tables for a terminal. Pure; every cell is made safe here, so that it may hold untrusted text.
 *
 * @module
 */

import type { Mark } from "./style.ts";
import { displayWidth, fitCell, terminalLine } from "./text.ts";
import type { RenderView } from "./view.ts";

/** A cell with a mark. */
export interface Cell {
  text: string;
  mark: Mark;
}

const INDENT = "  ";
const GAP = "  ";

/** A terminal that is narrower breaks the lines itself. */
const MIN_WIDTH = 40;

/** The last column gets so much before others give way. */
const LAST_COLUMN = 8;

/** No column that gives way gets narrower than this. */
const NARROW_COLUMN = 8;

/**
 * Lays cells out in columns that are as wide as their widest cell. The last one takes what is left of
 * the line; where that is little, those between the first and the last give way. In a pipe nothing is
 * cut.
 *
 * @param headings one per column
 * @param rows cells of untrusted text, one per column
 * @param view where the table is shown
 * @returns a line for the headings and one for each row
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | Cell)[])[],
  { style, width, isPiped = false }: RenderView,
): string {
  const texts = rows.map((row) => row.map((cell) => typeof cell === "string" ? cell : cell.text));
  const natural = headings.map((heading, column) =>
    Math.max(1, heading.length, ...texts.map((row) => displayWidth(terminalLine(row[column]))))
  );
  const widths = isPiped ? natural : fitColumns(natural, Math.max(MIN_WIDTH, width));
  const fit = (row: readonly string[]) => row.map((text, column) => fitCell(text, widths[column]));
  const join = (cells: readonly string[]) => (INDENT + cells.join(GAP)).trimEnd();
  const lines = rows.map((row, index) =>
    join(
      fit(texts[index]).map((text, column) => {
        const cell = row[column];
        return typeof cell === "string" ? text : style[cell.mark](text);
      }),
    )
  );
  return [style.dim(join(fit(headings))), ...lines].join("\n");
}

function fitColumns(natural: readonly number[], width: number): number[] {
  const widths = natural.slice(0, -1);
  const last = natural.at(-1)!;
  const room = () =>
    widths.reduce((left, column) => left - column - GAP.length, width - INDENT.length);
  while (room() < Math.min(last, LAST_COLUMN)) {
    const widest = Math.max(...widths.slice(1));
    if (!(widest > NARROW_COLUMN)) break;
    widths[widths.indexOf(widest, 1)]--;
  }
  return [...widths, Math.max(1, Math.min(last, room()))];
}
