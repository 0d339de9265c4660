/**
 * A user with a home in a temp folder, a repository in it, and the command line in that repository.
 *
 * @module
 */

import { walkSync } from "@std/fs/walk";
import { main } from "../../cli.ts";
import { FakeIo, type FakeIoOptions } from "../cli/fake_io.ts";
import type { Ran } from "../temp_workspace.ts";
import { removeFolder } from "../remove_folder.ts";

/** What says where hosts look; none of whoever runs the tests may count. */
const VARIABLES = [
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "COPILOT_HOME",
  "GEMINI_CLI_HOME",
  "OPENCODE_CONFIG_DIR",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
] as const;

/** The environment names it while it is in use; it is removed at the end. */
export class TempHome implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-home-" }));
  /** A git checkout. */
  readonly repository: string = `${this.path}/repo`;
  readonly #before = [...VARIABLES, "HOME", "PATH"].map((name) =>
    [name, Deno.env.get(name)] as const
  );

  /** @param files their texts, by their paths from the home */
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const name of VARIABLES) Deno.env.delete(name);
    Deno.env.set("HOME", this.path);
    Deno.env.set("PATH", `${this.path}/bin:/usr/bin:/bin`);
    this.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string | Uint8Array, mode?: number): void {
    const full = `${this.path}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    if (typeof text === "string") text = new TextEncoder().encode(text);
    Deno.writeFileSync(full, text, { mode });
  }

  read(path: string): string {
    return Deno.readTextFileSync(`${this.path}/${path}`);
  }

  /** A program that does nothing, or what the script says. */
  install(name: string, script = ""): void {
    this.write(`bin/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
  }

  /** Every file but those of the state, as one text with its bytes, and every folder. */
  snapshot(): Record<string, string> {
    const entries = [...walkSync(this.path, { skip: [/\.local\/state/] })]
      .filter(({ path }) => !/\/\.local(\/state)?$/.test(path));
    return Object.fromEntries(
      entries.map(({ path, isFile }) => [
        path.slice(this.path.length),
        isFile
          ? Array.from(Deno.readFileSync(path), (byte) => String.fromCharCode(byte)).join("")
          : "",
      ]).sort(),
    );
  }

  /** Runs `agentx setup` in the repository, in this process. */
  async setup(words: string, options: FakeIoOptions = {}): Promise<Ran> {
    return await this.run(`setup ${words}`, options);
  }

  /** Runs a command. */
  async run(words: string, options: FakeIoOptions = {}): Promise<Ran> {
    const io = new FakeIo(options);
    const argv = ["--root", this.repository, ...words.split(" ").filter(Boolean)];
    const code = await main(argv, io);
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
    return { code, out: io.out, err: io.err };
  }

  /** The same with `--json`: the value on stdout, or the error on stderr. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  async json(words: string): Promise<any> {
    const { out, err } = await this.setup(`${words} --json`);
    return JSON.parse(out || err);
  }

  [Symbol.dispose](): void {
    for (const [name, value] of this.#before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    removeFolder(this.path);
  }
}
