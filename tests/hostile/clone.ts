/**
 * What a stranger's clone is in these tests, and the commands that are run in each.
 *
 * @module
 */

import { main } from "../../cli.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempUser } from "../temp_user.ts";
import { ASK, type Ran } from "../temp_workspace.ts";
import { removeFolder } from "../remove_folder.ts";

/** A clone that tries to run a program of its own. */
export interface HostileClone {
  name: string;
  /**
   * Fills the clone, which has the shipped workflows and an overdue question to the architect.
   *
   * @param root the clone
   * @param beacon a program outside of it that leaves a trace when it is run
   */
  build(root: string, beacon: string): void | Promise<void>;
  /**
   * What changes after a person agreed to what was there; left out, nobody agreed to anything.
   */
  after?(root: string, beacon: string): void | Promise<void>;
  /**
   * The user's own configuration.
   *
   * @default {none}
   */
  userConfig?: object;
  /**
   * Where below the clone the commands are run.
   *
   * @default {"."}
   */
  folder?: string;
}

const PROJECT = new URL("../../", import.meta.url).pathname;

/** Every listing, every hook, and a question to each agent. */
export const COMMANDS: readonly (readonly string[])[] = [
  ["clarify"],
  ["clarify", "--issue", "42"],
  ["clarify", "stale"],
  ["stats"],
  ["clarify", "graph"],
  ["ready"],
  ["hook", "start", "engineer", "42"],
  ["hook", "finish", "engineer", "42"],
  ["state"],
  ["doctor"],
  ["issue", "list"],
  ["deps", "42"],
  ["workflow", "feature"],
  ["config", "show"],
  ["config", "get", "agents"],
  ["trust", "--print"],
  ["trust"],
  ["memory", "search", "x"],
  ["memory", "recall", "--issue", "42"],
  ["__complete", "--", "clarify\x1fask\x1f--to\x1f"],
  ["init"],
  ["validate", "42", "engineer"],
  ["review", "42", "--fix"],
  ["clarify", "retry", "CLR-42-001"],
  ASK,
  ["clarify", "ask", "CLR-42-001", "Once more: which one?"],
  ["clarify"],
];

/** A value that no command may show, and no program may get. */
export const SECRET = "hush-3f9a";

/** What the caller has in the environment. */
const KEYS = ["ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "BEACON_TOKEN"];

/** A clone in a temp folder, with the trace that nothing should leave. */
export class ClonedWorkspace implements Disposable {
  readonly #outside = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly #env = Deno.env.toObject();
  readonly #cwd = Deno.cwd();
  readonly #user = new TempUser();
  readonly root = `${this.#outside}/clone`;
  readonly beacon = `${this.#outside}/beacon`;
  readonly #clone: HostileClone;

  constructor(clone: HostileClone) {
    this.#clone = clone;
    for (const folder of [".git", ".agentx/workflows", ".agentx/state/clarifications"]) {
      Deno.mkdirSync(`${this.root}/${folder}`, { recursive: true });
    }
    Deno.writeTextFileSync(`${this.root}/.git/HEAD`, "ref: refs/heads/main\n");
    for (const { name } of Deno.readDirSync(`${PROJECT}.agentx/workflows`)) {
      const path = `.agentx/workflows/${name}`;
      Deno.copyFileSync(PROJECT + path, `${this.root}/${path}`);
    }
    const clarifications = [sampleRecord({ staleAfter: "2026-01-01T00:00:00.000Z" })];
    Deno.writeTextFileSync(
      `${this.root}/.agentx/state/clarifications/issue-42.json`,
      JSON.stringify({ issueNumber: 42, clarifications }),
    );
    const trace = `"${this.beacon}.trace"`;
    const script = `#!/bin/sh\nenv >>${trace}\necho run >>${trace}\necho yes\n`;
    Deno.writeTextFileSync(this.beacon, script, { mode: 0o755 });
    for (const name of KEYS) Deno.env.set(name, SECRET);
  }

  /** Makes the clone what it is, with the consent that it has. */
  async build(): Promise<void> {
    const { build, after, userConfig, folder = "." } = this.#clone;
    await build(this.root, this.beacon);
    if (userConfig !== undefined) this.#user.configure(userConfig);
    Deno.chdir(`${this.root}/${folder}`);
    if (after === undefined) return;
    const { code, err } = await this.run(["trust"], { terminal: true, stdin: "y\n" });
    if (code !== 0) throw new Error(`Nobody could agree: ${err}`);
    await after(this.root, this.beacon);
  }

  /** Runs a command line in the clone, as a runtime does it that reads `.env` by itself. */
  async run(argv: readonly string[], terminal = {}): Promise<Ran> {
    for (const name of [".env", ".env.local"]) this.#loadEnv(`${this.root}/${name}`);
    const io = new FakeIo({ ...terminal });
    const code = await main(argv, io);
    return { code, out: io.out, err: io.err };
  }

  #loadEnv(path: string): void {
    let text = "";
    try {
      text = Deno.readTextFileSync(path);
    } catch {
      return; // few have one
    }
    for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm)) Deno.env.set(name, value);
  }

  /** What programs left behind; empty where none was run. */
  get trace(): string {
    try {
      return Deno.readTextFileSync(`${this.beacon}.trace`);
    } catch {
      return "";
    }
  }

  [Symbol.dispose](): void {
    Deno.chdir(this.#cwd);
    this.#user[Symbol.dispose]();
    for (const name of Object.keys(Deno.env.toObject())) {
      if (!(name in this.#env)) Deno.env.delete(name);
    }
    for (const [name, value] of Object.entries(this.#env)) Deno.env.set(name, value);
    removeFolder(this.#outside);
  }
}
