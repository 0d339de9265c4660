/**
 * The README, as somebody would follow it: its blocks run as they are written, one after the other, in
 * a fresh repository, at a terminal that no agent's session is in.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../cli.ts";
import { FakeIo } from "./cli/fake_io.ts";
import { BLOCKS, commandsIn } from "./readme_blocks.ts";
import { ASK, TempWorkspace } from "./temp_workspace.ts";

const PROJECT = new URL("../", import.meta.url).pathname;

const SCRIPTS = BLOCKS.filter(({ language }) => language === "sh");

/** Installing is what the tests of the npm package do; a registry is not asked here. */
const INSTALL = SCRIPTS.filter(({ heading }) => heading === "Install");
const DAILY = SCRIPTS.filter(({ heading }) => heading !== "Install");

/** A terminal whose person agrees to whatever is asked. */
const TERMINAL = `
import os, pty, sys
status = pty.spawn(["bash", sys.argv[1]])
sys.exit(os.waitstatus_to_exitcode(status))
`;

const SESSION = [
  { role: "user", content: "Why PostgreSQL?" },
  {
    role: "assistant",
    content: "Decision: PostgreSQL in production, since operations back it up.",
  },
].map(({ role, content }) => JSON.stringify({ type: role, message: { role, content } })).join("\n");

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}

/** A home with `agentx` and `claude` on its path, and a fresh repository in it. */
class Desk implements Disposable {
  readonly home: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-readme-" }));
  readonly project: string = `${this.home}/your-project`;

  constructor() {
    this.program("agentx", `exec '${Deno.execPath()}' run -A --quiet '${PROJECT}cli.ts' "$@"`);
    this.program("claude", "cat >/dev/null; echo 'PostgreSQL; SQLite only for development.'");
    Deno.mkdirSync(`${this.home}/tmp`);
    Deno.mkdirSync(this.project);
    Deno.writeTextFileSync(`${this.project}/session.jsonl`, SESSION);
  }

  program(name: string, script: string): void {
    Deno.mkdirSync(`${this.home}/bin`, { recursive: true });
    Deno.writeTextFileSync(`${this.home}/bin/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Runs a script at a terminal, in an environment of its own, and gives what is seen there. */
  async run(script: string): Promise<string> {
    Deno.writeTextFileSync(`${this.home}/script.sh`, script);
    Deno.writeTextFileSync(`${this.home}/terminal.py`, TERMINAL);
    const child = new Deno.Command("python3", {
      args: [`${this.home}/terminal.py`, `${this.home}/script.sh`],
      cwd: this.home,
      clearEnv: true,
      env: {
        PATH: `${this.home}/bin:${Deno.env.get("PATH")}`,
        HOME: this.home,
        TMPDIR: `${this.home}/tmp`,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        TERM: "xterm",
        NO_COLOR: "1",
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("y\n"));
    await writer.close();
    const { stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return decoder.decode(stdout).replaceAll("\r\n", "\n") + decoder.decode(stderr);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.home, { recursive: true });
  }
}

Deno.test({
  name: "README: its blocks run as written, one after the other, in a fresh repository",
  ignore: !await isInstalled("python3"),
  async fn() {
    using desk = new Desk();
    const commands = DAILY.flatMap(commandsIn);
    // A file that somebody else changes between two blocks makes the question of `agentx trust`.
    const change =
      `sed -i.bak 's/"-p"/"-p", "--verbose"/' .agentx/config.json; rm .agentx/config.json.bak`;
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
      "session.jsonl",
    ]);
  },
});

Deno.test("README: the demo prints what is shown of it, in this order", async () => {
  const shown = BLOCKS.find(({ language }) => language === "text")?.text;
  assert(shown !== undefined);
  const io = new FakeIo();
  await main(["demo"], io);
  const TIME = /\(\d{4}-\d\d-\d\d \d\d:\d\d\)/;
  const lines = io.out.split("\n").map((line) => line.replace(TIME, "(TIME)"));
  let next = 0;
  for (const line of shown.trimEnd().split("\n").map((line) => line.replace(TIME, "(TIME)"))) {
    const at = lines.indexOf(line, next);
    assert(at >= next, `the demo does not print, after line ${next}: ${line}`);
    next = at + 1;
  }
});

Deno.test("README: what it installs is what there is", () => {
  const { name, version, tasks } = JSON.parse(Deno.readTextFileSync(`${PROJECT}deno.json`));
  const text = INSTALL.map(({ text }) => text).join("\n");
  assert(text.includes(`npm install -g ${name} `), `${name} ${version}`);
  const named = Array.from(text.matchAll(/\btask ([a-z]+)/g), ([, task]) => task);
  assertEquals(named, ["npm", "demo", "test"]);
  assertEquals(named.filter((task) => tasks[task] === undefined), []);
});

Deno.test("README: each of its ten commands is one", async () => {
  const readme = Deno.readTextFileSync(`${PROJECT}README.md`);
  const table = readme.slice(readme.indexOf("## Ten commands"), readme.indexOf("## In your repo"));
  const names = Array.from(table.matchAll(/^\| `(agentx( [a-z]+(?=[ `]))+)/gm), ([, name]) => name);
  assertEquals(names.length, 10);
  for (const name of names) {
    const io = new FakeIo();
    assertEquals(await main([...name.split(" ").slice(1), "--help"], io), 0, name);
    assert(io.out.includes(`Usage\n  ${name} `), io.out);
  }
});

Deno.test("README: an error under --json is the last line of standard error, after the notes", async () => {
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
