// Draws docs/demo.svg, the picture of README: what `agentx demo` prints at a terminal, as text.

const root = new URL("../", import.meta.url).pathname;

/** In pixels; the font's height, and what a line and a column of it take. */
const [FONT, LINE, COLUMN, MARGIN] = [13, 18, 7.8, 20];

/** What each mark of the terminal looks like. */
const LOOKS: Readonly<Record<string, string>> = {
  "1": "font-weight:bold",
  "2": "fill:#8b949e",
  "32": "fill:#3fb950",
  "36": "fill:#39c5cf",
};

/** Marks that end others. */
const ENDS: Readonly<Record<string, readonly string[]>> = { "22": ["1", "2"], "39": ["32", "36"] };

/** The times are of no interest, and would make another picture each day. */
const TIME = /\(\d{4}-\d\d-\d\d \d\d:\d\d\)/g;

/** The rest is of use at a terminal only. */
const END = "  Try next:";

const { stdout } = await new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--quiet", `${root}cli.ts`, "demo"],
  env: { FORCE_COLOR: "1", NO_COLOR: "" },
}).output();
const printed = new TextDecoder().decode(stdout).replaceAll(TIME, "(2026-02-26 10:00)");
const lines = `$ agentx demo\n${printed.slice(0, printed.indexOf(END))}`.trimEnd().split("\n");

const height = MARGIN * 2 + LINE * lines.length;
const width = MARGIN * 2 + COLUMN * 80;
Deno.writeTextFileSync(
  `${root}docs/demo.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">
<title>agentx demo: an engineer asks the architect, and continues with the answer</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="${FONT}" fill="#e6edf3" xml:space="preserve">
${lines.map(drawn).join("")}</g>
</svg>
`,
);

function drawn(line: string, index: number): string {
  const on = new Set<string>();
  // deno-lint-ignore no-control-regex -- they are the marks
  const parts = line.split(/\x1b\[(\d+)m/).map((part, at) => {
    if (at % 2 === 0) return part === "" ? "" : span(part, on);
    for (const mark of ENDS[part] ?? []) on.delete(mark);
    if (part in LOOKS) on.add(part);
    return "";
  });
  const y = MARGIN + LINE * index + FONT;
  return line === "" ? "" : `<text x="${MARGIN}" y="${y}">${parts.join("")}</text>\n`;
}

function span(text: string, marks: ReadonlySet<string>): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const style = Array.from(marks, (mark) => LOOKS[mark]).join(";");
  return style === "" ? escaped : `<tspan style="${style}">${escaped}</tspan>`;
}
