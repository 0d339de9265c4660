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

/** No column that gives way gets narrower than this: one that is not wider is left out instead. */
const NARROW_COLUMN = 8;

/** What ids and names stand in, which mean nothing when they are cut: all other columns give way first. */
export interface WholeColumn {
  whole: string;
}

/**
 * Lays cells out in columns that are as wide as their widest cell. Where the line is too short, the last
 * one gives way, then those between, the widest first; then they are left out, from the right. The first
 * column, and one that is to stay whole, are cut only where that is not enough. In a pipe nothing is cut.
 *
 * @param headings one per column
 * @param rows cells of untrusted text, one per column
 * @param view where the table is shown
 * @returns a line for the headings and one for each row
 */
export function formatTable(
  headings: readonly (string | WholeColumn)[],
  rows: readonly (readonly (string | Cell)[])[],
  { style, width, isPiped = false }: RenderView,
): string {
  const names = headings.map((heading) => typeof heading === "string" ? heading : heading.whole);
  const isWhole = headings.map((heading, column) => column === 0 || typeof heading !== "string");
  const texts = rows.map((row) => row.map((cell) => typeof cell === "string" ? cell : cell.text));
  const natural = names.map((name, column) =>
    Math.max(1, name.length, ...texts.map((row) => displayWidth(terminalLine(row[column]))))
  );
  const widths = isPiped ? natural : fitColumns(natural, isWhole, Math.max(MIN_WIDTH, width));
  const line = (row: readonly string[], mark = (text: string, _column: number) => text) => {
    const cells = row.flatMap((text, column) =>
      widths[column] === 0 ? [] : [mark(fitCell(text, widths[column]), column)]
    );
    return (INDENT + cells.join(GAP)).trimEnd();
  };
  const lines = rows.map((row, index) =>
    line(texts[index], (text, column) => {
      const cell = row[column];
      return typeof cell === "string" ? text : style[cell.mark](text);
    })
  );
  return [style.dim(line(names)), ...lines].join("\n");
}

/** @returns the width of each column; 0 where it is left out */
function fitColumns(
  natural: readonly number[],
  isWhole: readonly boolean[],
  width: number,
): number[] {
  const widths = [...natural];
  const last = widths.length - 1;
  const room = () =>
    widths.reduce((left, column) => left - (column === 0 ? 0 : column + GAP.length), width) +
    GAP.length - INDENT.length;
  const narrow = (columns: readonly number[]) => {
    while (room() < 0) {
      const widest = Math.max(0, ...columns.map((column) => widths[column]));
      if (widest <= NARROW_COLUMN) return;
      widths[columns.find((column) => widths[column] === widest)!]--;
    }
  };
  const columns = Array.from(natural.keys());
  const yielding = columns.filter((column) => !isWhole[column]);
  narrow(yielding.filter((column) => column === last));
  narrow(yielding);
  for (const column of yielding.toReversed()) {
    if (room() < 0 && (column === last || natural[column] <= NARROW_COLUMN)) widths[column] = 0;
  }
  for (const column of yielding) { // what was left out may have been more than was missing
    if (widths[column] === 0) continue;
    widths[column] = Math.min(natural[column], widths[column] + Math.max(0, room()));
  }
  narrow(columns.slice(1));
  narrow(columns.slice(0, 1));
  return widths;
}
