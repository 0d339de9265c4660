/**
 * README and docs/, as somebody would follow them: their blocks run as they are written, one after the other, in
 * a fresh repository, at a terminal that no agent's session is in.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../cli.ts";
import { COMMANDS } from "../lib/commands/mod.ts";
import { FakeIo } from "./cli/fake_io.ts";
import { Pty, terminalTest } from "./pty.ts";
import { BLOCKS, commandsIn, PAGES, pageText } from "./readme_blocks.ts";
import { ASK, TempWorkspace } from "./temp_workspace.ts";
import { removeFolder } from "./remove_folder.ts";

const PROJECT = new URL("../", import.meta.url).pathname;

const SCRIPTS = BLOCKS.filter(({ language }) => language === "sh");

/** Installing is what the tests of the npm package do; a registry is not asked here. */
const INSTALL = SCRIPTS.filter(({ heading }) => heading === "Install");
const DAILY = SCRIPTS.filter(({ heading }) => heading !== "Install");

const SESSION = [
  { role: "user", content: "Why PostgreSQL?" },
  {
    role: "assistant",
    content: "Decision: PostgreSQL in production, since operations back it up.",
  },
].map(({ role, content }) => JSON.stringify({ type: role, message: { role, content } })).join("\n");

/** What Claude Code prints with `--output-format json`. */
const ANSWER = JSON.stringify({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "PostgreSQL; SQLite only for development.",
});

/** A home with `agentx` and `claude` on its path, and a fresh repository in it. */
class Desk implements Disposable {
  readonly home: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-readme-" }));
  readonly project: string = `${this.home}/your-project`;

  constructor() {
    this.program("agentx", `exec '${Deno.execPath()}' run -A --quiet '${PROJECT}cli.ts' "$@"`);
    this.program("claude", `cat >/dev/null; printf '%s' '${ANSWER}'`);
    Deno.mkdirSync(`${this.home}/tmp`);
    Deno.mkdirSync(this.project);
    Deno.writeTextFileSync(`${this.project}/session.jsonl`, SESSION);
  }

  program(name: string, script: string): void {
    Deno.mkdirSync(`${this.home}/bin`, { recursive: true });
    Deno.writeTextFileSync(`${this.home}/bin/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Runs a script at a terminal, in an environment of its own, where a person agrees to all of it. */
  async run(script: string): Promise<string> {
    Deno.writeTextFileSync(`${this.home}/script.sh`, script);
    await using terminal = new Pty(["bash", `${this.home}/script.sh`], {
      cwd: this.home,
      env: {
        PATH: `${this.home}/bin:${Deno.env.get("PATH")}`,
        HOME: this.home,
        TMPDIR: `${this.home}/tmp`,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        NO_COLOR: "1",
      },
    });
    await terminal.shows("q: nothing");
    await terminal.type("\n");
    await terminal.shows("[y/N]", 120_000); // behind all other commands
    await terminal.type("y\n");
    await terminal.ended();
    return terminal.out.replaceAll("\r\n", "\n");
  }

  [Symbol.dispose](): void {
    removeFolder(this.home);
  }
}

terminalTest(
  "README and docs: their blocks run as written, one after the other, in a fresh repository",
  async () => {
    using desk = new Desk();
    const commands = DAILY.flatMap(commandsIn);
    // A file that somebody else changes between two blocks makes the question of `agentx trust`.
    const change =
      `sed -i.bak 's/"codex"/"gemini"/' .agentx/config.json; rm .agentx/config.json.bak`;
    const script = commands.map((command, index) => {
      const before = /^agentx trust\b(?!.*--print)/.test(command) ? `${change}\n` : "";
      return `${before}${command}\necho "[$? of ${index}]"\n`;
    });
    const seen = await desk.run(["git init -q your-project", ...script].join("\n"));
    const codes = Array.from(seen.matchAll(/^\[(\d+) of (\d+)\]$/gm), ([, code, index]) => {
      return `${code}: ${commands[Number(index)]}`;
    });
    assertEquals(codes, commands.map((command) => `0: ${command}`), seen);
    assert(seen.includes("A: PostgreSQL; SQLite only for development."), seen);
    assert(seen.includes("Let this repository run this from now on? [y/N]"), seen);
    assert(seen.includes("operations back it up"), seen);

    const left = (folder: string) =>
      Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
    assertEquals(left(`${desk.home}/tmp`), []);
    assertEquals(left(desk.project), [
      ".agentx",
      ".git",
      ".gitattributes",
      ".gitignore",
      "docs",
      "session.jsonl",
    ]);
  },
);

Deno.test("docs/demo.svg: the demo prints what is shown of it, in this order", async () => {
  const io = new FakeIo();
  await main(["demo"], io);
  const TIME = /\(\d{4}-\d\d-\d\d \d\d:\d\d\)/;
  const lines = io.out.split("\n").map((line) => line.replace(TIME, "(TIME)"));
  const shown = Array.from(
    pageText("docs/demo.svg").matchAll(/<text [^>]*>(.*)<\/text>/g),
    ([, text]) => text.replace(/<[^>]*>/g, "").replaceAll("&gt;", ">").replace(TIME, "(TIME)"),
  ).slice(1);
  assert(shown.length > 20);
  let next = 0;
  for (const line of shown) {
    const at = lines.indexOf(line, next);
    assert(at >= next, `the demo does not print, after line ${next}: ${line}; deno task picture`);
    next = at + 1;
  }
});

Deno.test("README: what it installs is what there is, and it is short", () => {
  const { name, tasks } = JSON.parse(Deno.readTextFileSync(`${PROJECT}deno.json`));
  const named = INSTALL.flatMap(({ text }) => Array.from(text.matchAll(/\btask ([a-z]+)/g)))
    .map(([, task]) => task);
  assertEquals(named, ["demo", "install", "test"]);
  assertEquals(named.filter((task) => tasks[task] === undefined), []);
  const readme = pageText("README.md");
  assert(readme.includes(`Once published: \`npm install -g ${name}\``));
  const prose = readme.split("\n").filter((line) => !line.startsWith("|")).join("\n");
  assert(prose.split(/\s+/).length <= 1_000);
});

for (const page of PAGES) {
  Deno.test(`${page}: what its relative links lead to exists`, () => {
    const folder = page.replace(/[^/]*$/, "");
    const wrong = Array.from(
      pageText(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g),
      ([, link]) => link,
    )
      .filter((link) => {
        const [path, title] = link.split("#");
        const target = path === "" ? page : new URL(folder + path, "file:///").pathname.slice(1);
        if (!isThere(target)) return true;
        return title !== undefined && !titlesOf(target).includes(title);
      });
    assertEquals(wrong, []);
  });
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(PROJECT + path);
    return true;
  } catch {
    return false;
  }
}

/** The anchors of a page's titles, as GitHub makes them. */
function titlesOf(page: string): string[] {
  return Array.from(
    pageText(page).matchAll(/^#+ (.+)$/gm),
    ([, title]) => title.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-"),
  );
}

/** The first cell of each row of the table under a title. */
function rowsUnder(title: string, page = "docs/cli.md"): { cell: string; text: string }[] {
  const [, section] = `\n${pageText(page)}`.split(new RegExp(`\n##? ${title}\n`));
  return Array.from(
    section.split("\n## ")[0].matchAll(/^\| (.+?) \| (.+) \|$/gm),
    ([, cell, text]) => ({ cell, text }),
  ).slice(1);
}

Deno.test("docs/cli.md has every command that is shown, at most 38 of them", () => {
  const named = rowsUnder("Commands").map(({ cell }) => /^`agentx ([a-z-]+)`$/.exec(cell)?.[1]);
  const shown = COMMANDS.filter(({ name, isHidden }) => !isHidden && !name.includes(" "))
    .map(({ name }) => name);
  assertEquals(named.sort(), shown.sort());
  assert(shown.length <= 38);
});

Deno.test("docs/words.md teaches at most 32 words, each by a sentence", () => {
  const words = rowsUnder("Words", "docs/words.md");
  assertEquals(words.filter(({ text }) => !/^[A-Z].*\.$/.test(text)), []);
  assert(words.length > 20 && words.length <= 32);
  assertEquals(new Set(words.map(({ cell }) => cell)).size, words.length);
});

Deno.test("docs/cli.md: an error under --json is the last line of standard error, after the notes", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const ledger = temp.ledger();
  ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  const { code, out, err } = await temp.run(["clarify", "answer", "CLR-42-009", "x", "--json"]);
  const lines = err.trimEnd().split("\n");
  assertEquals([code, out], [4, ""]);
  assertEquals(Object.keys(JSON.parse(lines.pop()!).error), ["code", "message", "details"]);
  assert(lines.length > 0 && lines.every((line) => line.startsWith("note: ")), err);
});
