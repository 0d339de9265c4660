// Renders tables for a terminal. Pure. Cells may hold untrusted text; they are made safe here.

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

/** Minimum width of a table; a narrower terminal wraps the lines itself. */
const MIN_WIDTH = 40;

/** Minimum width of a shortened column; if the line is still too long, the column is left out. */
const NARROW_COLUMN = 8;

/** A spare column stays only while every cut column keeps this width. */
const READABLE_COLUMN = 16;

/**
 * The heading of a column that is shortened by its own rule.
 *
 * - `whole`: ids and words that mean nothing when they are cut, so all other columns are shortened first.
 * - `name`: like `whole`, but for names, which may be long. If nothing else could be read, only the beginning is kept.
 * - `spare`: the least important columns, which are left out first.
 */
export type Column = { whole: string } | { name: string } | { spare: string };

/**
 * Lays cells out in columns, each as wide as its widest cell. A line that is too long is shortened in this order:
 *
 * 1. The last column is narrowed while it stays readable.
 * 2. Spare columns are left out, from the left, and long names are cut.
 * 3. Other columns are narrowed, the widest first, and left out, from the right.
 * 4. Names, the first column and `whole` columns are cut further.
 *
 * In a pipe, nothing is cut.
 */
export function formatTable(
  headings: readonly (string | Column)[],
  rows: readonly (readonly (string | Cell)[])[],
  { style, width, isPiped = false }: RenderView,
): string {
  const kinds = headings.map((heading, column) =>
    typeof heading !== "string" ? Object.keys(heading)[0] : column === 0 ? "first" : "plain"
  ) as Kind[];
  const names = headings.map((heading) =>
    typeof heading === "string" ? heading : Object.values<string>(heading)[0]
  );
  const texts = rows.map((row) => row.map((cell) => typeof cell === "string" ? cell : cell.text));
  const natural = names.map((name, column) =>
    Math.max(1, name.length, ...texts.map((row) => displayWidth(terminalLine(row[column]))))
  );
  const widths = isPiped ? natural : fitColumns(natural, kinds, Math.max(MIN_WIDTH, width));
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

/** Renders a line on the rows that a list leaves out; none if it leaves out no row. */
export function moreRows(more: number, { style }: RenderView): string[] {
  return more === 0 ? [] : [style.dim(`  ${more} more: list them with --limit N`)];
}

type Kind = "first" | "plain" | "whole" | "name" | "spare";

/** Returns the width of each column; 0 if the column is left out. */
function fitColumns(
  natural: readonly number[],
  kinds: readonly Kind[],
  width: number,
): number[] {
  const widths = [...natural];
  const last = widths.length - 1;
  const room = () =>
    widths.reduce((left, column) => left - (column === 0 ? 0 : column + GAP.length), width) +
    GAP.length - INDENT.length;
  const narrow = (columns: readonly number[], least = NARROW_COLUMN) => {
    while (room() < 0) {
      const widest = Math.max(0, ...columns.map((column) => widths[column]));
      if (widest <= least) return;
      widths[columns.find((column) => widths[column] === widest)!]--;
    }
  };
  const columns = Array.from(natural.keys());
  const of = (kind: Kind) => columns.filter((column) => kinds[column] === kind);
  const yielding = of("plain");
  const atEnd = yielding.filter((column) => column === last);
  narrow(atEnd, READABLE_COLUMN);
  for (const column of of("spare")) if (room() < 0) widths[column] = 0;
  narrow(of("name"), READABLE_COLUMN);
  narrow(atEnd);
  narrow(yielding);
  for (const column of yielding.toReversed()) {
    if (room() < 0 && (column === last || natural[column] <= NARROW_COLUMN)) widths[column] = 0;
  }
  for (const column of yielding) { // more columns than needed may have been left out
    if (widths[column] === 0) continue;
    widths[column] = Math.min(natural[column], widths[column] + Math.max(0, room()));
  }
  narrow(of("name"));
  narrow(columns.slice(0, 1), READABLE_COLUMN);
  narrow(columns.slice(1));
  narrow(columns.slice(0, 1));
  return widths;
}
