/**
 * A real repository with everything switched on, and a user at work in a worktree of it. Every command is a process
 * of its own, as users run it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Pty } from "../pty.ts";
import { removeFolder } from "../remove_folder.ts";
import { AGENTX, ended, type Ran } from "../temp_workspace.ts";

/** Outside of `/tmp`, which a sandbox hides. */
const FOLDER = "/var/tmp";

/** The files of a small project that has a fault: its sum subtracts. */
const PROJECT: Record<string, string> = {
  "README.md": "# Monorepo\n",
  "shop/package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "shop/src/price.js": "export const sum = (a, b) => a - b;\n",
  "shop/test/ready.test.js": `import assert from "node:assert";
import { existsSync } from "node:fs";
import test from "node:test";

test("the machine is ready", () => assert(existsSync(process.env.HOME + "/ready")));
`,
  ".githooks/.keep": "",
};

export class Place implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ dir: FOLDER, prefix: "agentx-together-" });
  readonly home: string = `${this.folder}/home`;
  readonly main: string = `${this.folder}/repo/shop`;
  /** Below the top of a worktree. */
  readonly cwd: string = `${this.folder}/tree/shop`;
  readonly #program: readonly string[];
  /** Variables that the user sets later. */
  variables: Record<string, string> = {};

  constructor(program: readonly string[] = AGENTX.split(" ")) {
    const [first, ...rest] = program;
    const isDeno = rest[0] === "run";
    // A sandbox shows nothing of /tmp, and fetches and keeps nothing.
    this.#program = isDeno && first.startsWith("/tmp/")
      ? [`${this.folder}/bin/deno`, ...rest]
      : program;
    if (isDeno) {
      const args = ["cache", "--quiet", rest.at(-1)!];
      assertEquals(new Deno.Command(Deno.execPath(), { args }).outputSync().code, 0);
      Deno.mkdirSync(`${this.folder}/bin`, { recursive: true });
      if (this.#program[0] !== first) Deno.copyFileSync(first, this.#program[0]);
    }
    for (const [path, text] of Object.entries(PROJECT)) this.write(`repo/${path}`, text);
    for (const host of ["claude", "codex", "qwen", "pi"]) {
      this.write(`bin/${host}`, "#!/bin/sh\necho 1.0.0\n");
      Deno.chmodSync(`${this.folder}/bin/${host}`, 0o755);
    }
    this.write("home/.gitconfig", "[user]\n\tname = Ann\n\temail = ann@example.org\n");
    Deno.copyFileSync(new URL("./agent.mjs", import.meta.url), `${this.home}/agent.mjs`);
    this.git(`${this.folder}/repo`, "init", "-q", "-b", "main");
    this.git(`${this.folder}/repo`, "add", "-A");
    this.git(`${this.folder}/repo`, "commit", "-qm", "chore: begin");
  }

  get env(): Record<string, string> {
    const { DENO_DIR = `${Deno.env.get("HOME")}/.cache/deno`, PATH = "" } = Deno.env.toObject();
    return {
      ...{ PATH: `${this.folder}/bin:${PATH}`, HOME: this.home, DENO_DIR, NO_COLOR: "1" },
      ...{ TOGETHER_AGENTX: this.#program.join(" ") },
      ...this.variables,
    };
  }

  write(path: string, text: string): void {
    const full = path.startsWith("/") ? path : `${this.folder}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text);
  }

  /** Runs a program to its end. */
  run(
    [program, ...args]: readonly string[],
    { cwd = this.cwd, stdin = "", env = {} }: RunOptions = {},
  ): Promise<Ran> {
    const child = new Deno.Command(program, {
      ...{ args, cwd, clearEnv: true, env: { ...this.env, ...env } },
      ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
    }).spawn();
    const writer = child.stdin.getWriter();
    writer.write(new TextEncoder().encode(stdin)).then(() => writer.close()).catch(() => {}); // it reads nothing
    return ended(child);
  }

  /** Runs agentx. */
  agentx(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.run([...this.#program, ...words], options);
  }

  /** Runs agentx, which succeeds. */
  async must(words: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, out, err } = await this.agentx(words, options);
    assertEquals(code, 0, `agentx ${words.join(" ")}: ${err}${out}`);
    return out;
  }

  /** As {@linkcode must} with `--json`. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  async json(words: readonly string[], options: RunOptions = {}): Promise<any> {
    return JSON.parse(await this.must([...words, "--json"], options));
  }

  /** A person types at a terminal until the command ends. */
  async type(words: readonly string[], ...dialog: [shown: string | RegExp, keys: string][]) {
    await using terminal = new Pty([...this.#program, ...words], { cwd: this.cwd, env: this.env });
    for (const [shown, keys] of dialog) {
      await terminal.shows(shown);
      await terminal.type(keys);
    }
    assertEquals(await terminal.ended(), 0, terminal.out);
    return terminal.out;
  }

  /** Runs git, which succeeds. */
  git(cwd: string, ...args: string[]): string {
    const env = { ...this.env, GIT_CONFIG_NOSYSTEM: "1" };
    const { success, stdout, stderr } = new Deno.Command("git", { args, cwd, clearEnv: true, env })
      .outputSync();
    const decoder = new TextDecoder();
    assertEquals(success, true, `git ${args.join(" ")}: ${decoder.decode(stderr)}`);
    return decoder.decode(stdout).trim();
  }

  [Symbol.dispose](): void {
    removeFolder(this.folder);
  }
}

interface RunOptions {
  cwd?: string;
  stdin?: string;
  env?: Record<string, string>;
}
