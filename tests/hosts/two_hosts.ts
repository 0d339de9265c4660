/**
 * A user of two coding agents that agentx was set up for, as its README has them do it: a home with both,
 * a repository, and `agentx` on the PATH.
 *
 * @module
 */

import { AGENTX, ended, type Ran, signal } from "../temp_workspace.ts";
import { type Host, programOf, TOOLS } from "./host.ts";
import { CLOSED_URL } from "./scripted_model.ts";
import { removeFolder } from "../remove_folder.ts";

/** Removed at the end of the block that is `using` it. */
export class TwoHosts implements Disposable {
  readonly home: string;
  readonly root: string;
  readonly #env: Record<string, string>;

  /**
   * @param url where the model of all of them is
   * @param dir where the home is made, with the hosts in it; in a sandbox, nothing below `/tmp` shows
   */
  constructor(hosts: readonly Host[], url: string, dir?: string) {
    this.home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-two-", dir }));
    this.root = `${this.home}/repo`;
    // What a host starts gets this folder from no one else: Codex passes it to nothing.
    const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
    const deno = Deno.execPath();
    const here = dir === undefined ? deno : this.#bring(deno, "deno");
    this.install("agentx", `DENO_DIR='${cache}' exec ${AGENTX.replace(deno, here)}`);
    const bin = (name: string) => `${this.home}/bin/${name}`;
    const installHost = (host: Pick<Host, "name" | "line">) => {
      const program = programOf(host)!;
      const [, modules, name] = /^(.*\/node_modules)(\/.*)$/.exec(program) ?? [];
      const moved = dir === undefined
        ? program
        : this.#bring(modules, `${host.name}/node_modules`) + name;
      this.install(host.name, `exec '${moved}'`);
    };
    if (dir !== undefined) {
      const node = this.#bring(`${TOOLS}/inspector/node_modules/node/bin/node`, "node");
      this.install("node", `exec '${node}'`);
    }
    for (const host of hosts) {
      installHost(host);
      if (host.adapter) installHost(host.adapter);
      for (const [path, text] of Object.entries(host.files(url))) this.#write(path, text);
    }
    this.#write("tmp/.keep", "");
    this.#write("repo/.git/HEAD", "ref: refs/heads/main\n");
    this.#env = {
      PATH: `${this.home}/bin:${Deno.env.get("PATH")}`,
      HOME: this.home,
      TMPDIR: `${this.home}/tmp`,
      NO_COLOR: "1",
      HTTP_PROXY: CLOSED_URL,
      HTTPS_PROXY: CLOSED_URL,
      NO_PROXY: "127.0.0.1",
      ...Object.fromEntries(
        hosts.flatMap(({ name, adapter }) => adapter ? [[adapter.variable, bin(name)]] : []),
      ),
      ...Object.assign({}, ...hosts.flatMap((host) => [host.settings, host.login(url)])),
    };
  }

  /** Gives a file or folder a second name in the home, or a copy on another disk. */
  #bring(path: string, name: string): string {
    const to = `${this.home}/programs/${name}`;
    const line = 'mkdir -p "${2%/*}" && { cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"; }';
    new Deno.Command("sh", { args: ["-c", line, "sh", path, to] }).outputSync();
    return to;
  }

  /** Puts a program on the PATH. */
  install(name: string, script: string): void {
    this.#write(`bin/${name}`, `#!/bin/sh\n${script} "$@"\n`, 0o755);
  }

  #write(path: string, text: string, mode?: number): void {
    const full = `${this.home}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text, { mode });
  }

  /** Runs a program in the repository. */
  async run(
    name: string,
    args: readonly string[],
    { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
  ): Promise<Ran> {
    const child = new Deno.Command(`${this.home}/bin/${name}`, {
      args: [...args],
      cwd: this.root,
      clearEnv: true,
      env: { ...this.#env, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    return await ended(child);
  }

  /** Runs a line of a shell in the repository, at a terminal, until it is disposed of. */
  terminal(line: string): Terminal {
    const child = new Deno.Command("/usr/bin/script", {
      args: ["-qfec", `stty cols 110 rows 40; exec ${line}`, "/dev/null"],
      cwd: this.root,
      clearEnv: true,
      env: { ...this.#env, TERM: "xterm-256color" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    return new Terminal(child);
  }

  [Symbol.dispose](): void {
    removeFolder(this.home);
  }
}

/** A program at a terminal. */
class Terminal implements AsyncDisposable {
  /** All that it has shown. */
  shown = "";
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #read: Promise<void>;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#keys = child.stdin.getWriter();
    const show = (text: string) => void (this.shown += text);
    const stream = child.stdout.pipeThrough(new TextDecoderStream());
    this.#read = stream.pipeTo(new WritableStream({ write: show }));
  }

  async type(keys: string): Promise<void> {
    await this.#keys.write(new TextEncoder().encode(keys));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    signal(this.#child, "SIGKILL"); // its terminal is gone, so that the program ends too
    await this.#keys.close().catch(() => {});
    await this.#child.status;
    await this.#read;
  }
}
