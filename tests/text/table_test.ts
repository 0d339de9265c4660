import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { makeStyle } from "../../lib/text/style.ts";
import { formatTable } from "../../lib/text/table.ts";
import { displayWidth } from "../../lib/text/text.ts";

const PLAIN = { style: makeStyle(false), width: 80 };

Deno.test("formatTable() makes columns as wide as their widest cell", () => {
  assertEquals(
    formatTable(["ID", "TOPIC"], [["CLR-1-001", "API"], ["x", "Database"]], PLAIN),
    "  ID         TOPIC\n  CLR-1-001  API\n  x          Database",
  );
});

Deno.test("formatTable() marks a cell without moving the others", () => {
  const rows = [[{ text: "a", mark: "red" as const }, "b"], ["wide", "c"]];
  const plain = formatTable(["ONE", "TWO"], rows, PLAIN);
  const marked = formatTable(["ONE", "TWO"], rows, { ...PLAIN, style: makeStyle(true) });
  assert(marked.includes("\x1b[31ma   \x1b[39m  b"));
  // deno-lint-ignore no-control-regex -- the marks are taken out again
  assertEquals(marked.replace(/\x1b\[\d+m/g, ""), plain);
});

Deno.test("formatTable() cuts the last column at the end of the line", () => {
  const [, line] = formatTable(["A", "B"], [["a", "b".repeat(99)]], { ...PLAIN, width: 40 }).split(
    "\n",
  );
  assertEquals(line, `  a  ${"b".repeat(32)}...`);
});

Deno.test("formatTable() lets columns in the middle give way to the last one", () => {
  const row = ["CLR-42-001", "m".repeat(30), "n".repeat(30), "a topic of words"];
  const [, line] = formatTable(["A", "B", "C", "D"], [row], { ...PLAIN, width: 60 }).split("\n");
  assertEquals(displayWidth(line), 60);
  assert(line.startsWith("  CLR-42-001  mmm") && line.endsWith("  a top..."));
});

Deno.test("formatTable() keeps to the width of the terminal for any text", () => {
  const anyRow = fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
  fc.assert(fc.property(fc.array(anyRow), fc.integer({ min: 40, max: 120 }), (rows, width) => {
    const cells = rows.map(([a, b]) => ["CLR-42-001", a, b, a + b]);
    const lines = formatTable(["A", "B", "C", "D"], cells, { ...PLAIN, width }).split("\n");
    assertEquals(lines.length, rows.length + 1);
    assert(lines.every((line) => displayWidth(line) <= width));
  }));
});

Deno.test("formatTable() lets no escape sequence through", () => {
  assert(!formatTable(["A"], [["\x1b[2J"]], PLAIN).includes("\x1b"));
});

Deno.test("formatTable() takes columns with nothing in them", () => {
  assertEquals(formatTable(["A", "", ""], [["a", "", ""]], PLAIN), "  A\n  a");
});

Deno.test("formatTable() keeps a whole column whole while the others can give way", () => {
  const names = ["engineer@claude-3f2a", "engineer@claude-11aa-codex-22bb"];
  const headings = ["ID", { whole: "FROM" }, { whole: "TO" }, "STATUS", "ROUND", "SLA", "TOPIC"];
  for (const [width, name] of [[80, names[0]], [80, names[1]], [60, names[0]]] as const) {
    const row = [
      "CLR-42-001",
      name,
      "architect",
      "escalated",
      "1/5",
      "overdue",
      "Any topic at all",
    ];
    const table = formatTable(headings, [row], { ...PLAIN, width });
    assert(table.includes(`CLR-42-001  ${name}  architect  escalat`), table);
    assert(table.split("\n").every((line) => displayWidth(line) <= width), table);
  }
});

Deno.test("formatTable() cuts a column in the middle for one at the end that stays whole", () => {
  const row = ["engineer@claude-3f2a", "blocked-clarification", "#1", "12m ago"];
  const last = "CLR-1-001 for engineer@codex-0f13";
  const table = formatTable(["A", "S", "I", "T", { whole: "" }], [[...row, last]], PLAIN);
  assert(table.includes("engineer@claude-3f2a  block...  #1") && table.endsWith(last), table);
  assert(table.split("\n").every((line) => displayWidth(line) <= 80), table);
});
