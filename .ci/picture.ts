// Draws docs/demo.svg and docs/workflow.svg, pictures of README: what `agentx demo` and `agentx workflow run` print at
// a terminal, as text. The second one takes tmux.

import { repository, scriptedClaude } from "../tests/pipeline/feature.ts";
import { AGENTX } from "../tests/temp_workspace.ts";

const root = new URL("../", import.meta.url).pathname;

/** In pixels; the font's height, and what a line and a column of it take. */
const [FONT, LINE, COLUMN, MARGIN] = [13, 18, 7.8, 20];

/** What each mark of the terminal looks like. */
const LOOKS: Readonly<Record<string, string>> = {
  "1": "font-weight:bold",
  "2": "fill:#8b949e",
  "31": "fill:#f85149",
  "32": "fill:#3fb950",
  "33": "fill:#d29922",
  "36": "fill:#39c5cf",
};

/** Marks that end others. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  "0": Object.keys(LOOKS),
  "22": ["1", "2"],
  "39": ["31", "32", "33", "36"],
};

/** The times are of no interest, and would make another picture each day. */
const TIME = /\(\d{4}-\d\d-\d\d \d\d:\d\d\)/g;

/** The rest is of use at a terminal only. */
const END = "  Try next:";

const { stdout } = await new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--quiet", `${root}cli.ts`, "demo"],
  env: { FORCE_COLOR: "1", NO_COLOR: "" },
}).output();
const printed = new TextDecoder().decode(stdout).replaceAll(TIME, "(2026-02-26 10:00)");
draw("demo", {
  title: "agentx demo: an engineer asks the architect, and continues with the answer",
  text: `$ agentx demo\n${printed.slice(0, printed.indexOf(END))}`,
});
draw("workflow", {
  title: "agentx workflow run: five agents take a feature to its review, and its work is merged",
  text: await walk(),
});

/** What a terminal of 80 columns shows while agents that are scripts do the steps of a feature. */
async function walk(): Promise<string> {
  using temp = await repository();
  await scriptedClaude(temp);
  const agentx = `${temp.user.path}/bin/agentx`;
  Deno.writeTextFileSync(agentx, `#!/bin/sh\nexec ${AGENTX} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${temp.user.path}/bin:${Deno.env.get("PATH")}`, NO_COLOR: "" };
  const tmux = async (...args: string[]) => {
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-L", "agentx-picture", "-f", "/dev/null", ...args],
      env,
      cwd: temp.root,
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  await tmux(
    "new-session",
    "-d",
    "-x",
    "80",
    "-y",
    "50",
    "env",
    "PS1=$ ",
    "bash",
    "--norc",
    "--noprofile",
  );
  try {
    for (const [line, end] of [["workflow run 1", "is done."], ["workflow merge 1", "Removed"]]) {
      await tmux("send-keys", `agentx ${line}`, "Enter");
      for (let looks = 0; !(await tmux("capture-pane", "-p")).includes(end); looks++) {
        if (looks > 600) throw new Error(await tmux("capture-pane", "-p"));
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    return (await tmux("capture-pane", "-p", "-e")).trimEnd().replace(/\n\$ ?$/, "");
  } finally {
    await tmux("kill-server");
  }
}

function draw(name: string, { title, text }: { title: string; text: string }): void {
  const lines = text.trimEnd().split("\n");
  const on = new Set<string>(); // a mark may end in another line
  const height = MARGIN * 2 + LINE * lines.length;
  const width = MARGIN * 2 + COLUMN * 80;
  Deno.writeTextFileSync(
    `${root}docs/${name}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="${FONT}" fill="#e6edf3" xml:space="preserve">
${lines.map((line, index) => drawn(line, index, on)).join("")}</g>
</svg>
`,
  );
}

function drawn(line: string, index: number, on: Set<string>): string {
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
