/**
 * Tables for a terminal. Pure. Cells may hold untrusted text: each is made safe here.
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

/** A narrower terminal breaks the lines itself. */
const MIN_WIDTH = 40;

/** No column is shortened below this width: it is left out instead. */
const NARROW_COLUMN = 8;

/** Columns of ids and names, which mean nothing when cut: all others are shortened first. */
export interface WholeColumn {
  whole: string;
}

/**
 * Lays out cells in columns as wide as their widest cell, with a line for the headings and one per row.
 * If the line is too short, the last column is shortened, then those in the middle, the widest first; then
 * they are left out, from the right. The first column, and one that should stay whole, are cut only if
 * that is not enough. In a pipe nothing is cut.
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

/** The width of each column; 0 if it is left out. */
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
  for (const column of yielding) { // more may have been left out than was missing
    if (widths[column] === 0) continue;
    widths[column] = Math.min(natural[column], widths[column] + Math.max(0, room()));
  }
  narrow(columns.slice(1));
  narrow(columns.slice(0, 1));
  return widths;
}
