/**
 * Several machines with a clone each of one bare repository: separate homes, state folders and checkouts.
 *
 * @module
 */

import { main } from "../../cli.ts";
import { sys } from "../../lib/sys/mod.ts";
import { FakeIo, type FakeIoOptions } from "../cli/fake_io.ts";
import { type Ran, spawnAgentx } from "../temp_workspace.ts";
import { USER_VARIABLES } from "../temp_user.ts";
import { removeFolder } from "../remove_folder.ts";

const HOME = Deno.env.get("HOME") ?? "";

/** A person at a terminal who agrees. */
export const YES: FakeIoOptions = { terminal: true, stdin: "y\n" };

/** Runs git without the tester's settings; returns its output. */
export function git(cwd: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args],
    cwd,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** A machine with a clone. */
export class TempMachine {
  readonly name: string;
  readonly root: string;
  readonly home: string;

  constructor(name: string, folder: string) {
    this.name = name;
    this.home = `${folder}/${name}`;
    this.root = `${this.home}/shop`;
  }

  /** The variables of its user. */
  env(): Record<string, string> {
    return {
      HOME: this.home,
      XDG_CONFIG_HOME: `${this.home}/config`,
      XDG_STATE_HOME: `${this.home}/state`,
    };
  }

  /** Does something as its user, in this process. */
  async as<T>(work: () => Promise<T>): Promise<T> {
    const before = [...USER_VARIABLES, "USER"].map((name) => [name, Deno.env.get(name)] as const);
    const hostname = Object.getOwnPropertyDescriptor(sys, "hostname")!;
    for (const [name] of before) Deno.env.delete(name);
    for (const [name, value] of Object.entries(this.env())) Deno.env.set(name, value);
    Deno.env.set("USER", `user-of-${this.name}`);
    Object.defineProperty(sys, "hostname", { value: this.name, configurable: true });
    try {
      return await work();
    } finally {
      Object.defineProperty(sys, "hostname", hostname);
      for (const [name, value] of before) {
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
    }
  }

  /** Runs a command line in this process. */
  async run(argv: readonly string[], options: FakeIoOptions = {}): Promise<Ran> {
    return await this.as(async () => {
      const io = new FakeIo(options);
      const code = await main(["--root", this.root, ...argv], io);
      await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
      return { code, out: io.out, err: io.err };
    });
  }

  /** As {@linkcode TempMachine.run}; returns the output, and throws if the command fails. */
  async ok(argv: readonly string[], options: FakeIoOptions = {}): Promise<string> {
    const { code, out, err } = await this.run(argv, options);
    if (code !== 0) throw new Error(`${this.name}: ${argv.join(" ")} ended with ${code}\n${err}`);
    return out;
  }

  /** As {@linkcode TempMachine.run} with `--json`: the value on stdout, or the error on stderr. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  async json(argv: readonly string[], options: FakeIoOptions = {}): Promise<any> {
    const { out, err } = await this.run([...argv, "--json"], options);
    return JSON.parse(out || err.slice(err.indexOf("{")));
  }

  /** Starts a command line as a process of its own. */
  spawn(argv: readonly string[], env: Record<string, string> = {}): Deno.ChildProcess {
    const own = { ...this.env(), HOME }; // Deno keeps its modules in the tester's home
    return spawnAgentx(argv, { cwd: this.root, env: { ...own, ...env } });
  }
}

/** Options of {@linkcode TempMachines}. */
export interface TempMachinesOptions {
  /**
   * Titles of issues that all clones have.
   *
   * @default {["First", "Second", "Third"]}
   */
  issues?: readonly string[];
  /**
   * Keys of the committed `config.json`.
   *
   * @default {{}}
   */
  config?: object;
  /**
   * Whether the user of each agreed to the remote.
   *
   * @default {true}
   */
  areShared?: boolean;
}

export class TempMachines implements Disposable {
  readonly folder: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-machines-" }));
  readonly bare: string = `${this.folder}/hub.git`;
  readonly all: readonly TempMachine[];

  private constructor(names: readonly string[]) {
    this.all = names.map((name) => new TempMachine(name, this.folder));
  }

  /** Makes them. */
  static async make(
    names: readonly string[],
    { issues = ["First", "Second", "Third"], config, areShared = true }: TempMachinesOptions = {},
  ): Promise<TempMachines> {
    const machines = new TempMachines(names);
    git(machines.folder, "init", "-q", "--bare", "-b", "main", machines.bare);
    const [first, ...others] = machines.all;
    Deno.mkdirSync(first.home);
    git(first.home, "clone", "-q", machines.bare, "shop");
    git(first.root, "checkout", "-q", "-b", "main");
    await first.ok(["init"]);
    const settings = `${first.root}/.agentx/config.json`;
    if (config !== undefined) {
      const now = JSON.parse(Deno.readTextFileSync(settings));
      Deno.writeTextFileSync(settings, JSON.stringify({ ...now, ...config }));
    }
    for (const title of issues) await first.ok(["issue", "create", title]);
    git(first.root, "add", "-A");
    git(first.root, "commit", "-q", "-m", "Begin");
    git(first.root, "push", "-q", "origin", "main");
    for (const each of others) {
      Deno.mkdirSync(each.home);
      git(each.home, "clone", "-q", machines.bare, "shop");
    }
    if (areShared) { for (const each of machines.all) await each.ok(["remote", "git"], YES); }
    return machines;
  }

  /** Takes the remote away from all, and gives it back. */
  cut(): Disposable {
    Deno.renameSync(this.bare, `${this.bare}-away`);
    return { [Symbol.dispose]: () => Deno.renameSync(`${this.bare}-away`, this.bare) };
  }

  [Symbol.dispose](): void {
    removeFolder(this.folder);
  }
}
