/**
 * A workspace in a temp folder with the shipped workflows, agents that are shell scripts, and the
 * command line in it.
 *
 * @module
 */

import { walkSync } from "@std/fs/walk";
import { main } from "../cli.ts";
import type { LedgerFile } from "../lib/clarify/schema.ts";
import { FileLockManager } from "../lib/lock/mod.ts";
import type { Issue } from "../lib/work/issue/issue.ts";
import { IssueStore } from "../lib/work/issue/issue_store.ts";
import { bear } from "../lib/workspace/state_origin.ts";
import { sys } from "../lib/sys/mod.ts";
import { FakeIo, type FakeIoOptions } from "./cli/fake_io.ts";
import { TempUser, USER_VARIABLES } from "./temp_user.ts";
import { removeFolder } from "./remove_folder.ts";

const PROJECT = new URL("../", import.meta.url).pathname;

/** The words that run the command line from a shell script. */
export const AGENTX: string = `${Deno.execPath()} run -A --quiet ${PROJECT}cli.ts`;

/** Options of {@linkcode TempWorkspace}. */
export interface TempWorkspaceOptions {
  /**
   * Shell scripts by agent: prompt on standard input, reply on standard output.
   *
   * @default {{}}
   */
  agents?: Record<string, string>;
  /**
   * Other keys of `config.json`.
   *
   * @default {{}}
   */
  config?: Record<string, unknown>;
  /**
   * Where to make it.
   *
   * @default {the system's folder for temporary files}
   */
  parent?: string;
  /**
   * Whether the user agrees to whatever it would run.
   *
   * @default {true}
   */
  isTrusted?: boolean;
}

/**
 * In memory where that is possible: a disk that is busy with something else may keep one fsync, and
 * all who wait for the lock around it, for more than the 5 seconds that they have.
 */
export function inMemory(): string | undefined {
  try {
    return Deno.statSync("/dev/shm").isDirectory ? "/dev/shm" : undefined;
  } catch {
    return undefined; // not Linux
  }
}

/** How a command line ended. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Reads `docs/adr/ADR-42.md`, as the architect of the issue's example does. */
export const ADR_ARCHITECT = "cat >/dev/null; sed -n 's/^Decision: //p' docs/adr/ADR-42.md";

/** The first question of the issue's example, as words of a command line. */
export const ASK: readonly string[] = [
  "clarify",
  "ask",
  ...["--issue", "42", "--from", "engineer", "--to", "architect", "--topic", "Database layer"],
  "PostgreSQL or SQLite?",
];

/**
 * A folder with `.agentx/`, and the folders of a user for whom it is used, both removed at the end of
 * the block that is `using` it.
 */
export class TempWorkspace implements Disposable {
  readonly root: string;
  /** Whose configuration and consent count. */
  readonly user: TempUser;

  constructor(options: TempWorkspaceOptions = {}) {
    const { agents = {}, config = {}, parent, isTrusted = true } = options;
    this.user = new TempUser({ trustsAll: isTrusted });
    const folder = Deno.makeTempDirSync({ dir: parent, prefix: "agentx-test-" });
    this.root = Deno.realPathSync(folder);
    Deno.mkdirSync(`${this.root}/.agentx/workflows`, { recursive: true });
    for (const { name } of Deno.readDirSync(`${PROJECT}.agentx/workflows`)) {
      const path = `.agentx/workflows/${name}`;
      Deno.copyFileSync(PROJECT + path, `${this.root}/${path}`);
    }
    const commands = Object.entries(agents).map(([agent, script]) => {
      this.write(`agents/${agent}.sh`, script);
      return [agent, { command: ["sh", `${this.root}/agents/${agent}.sh`] }];
    });
    const settings = {
      clarify: { retryDelaySeconds: 0 },
      agents: Object.fromEntries(commands),
      ...config,
    };
    this.write(".agentx/config.json", JSON.stringify(settings, null, 2));
    bear(this.root);
  }

  /** Writes a file, with the mode that it would have. */
  write(path: string, text: string): void {
    const full = `${this.root}/${path}`;
    const isPrivate = /^\.agentx\/(?:state|log)\//.test(path);
    const [folderMode, mode] = isPrivate ? [0o700, 0o600] : [];
    const folder = full.slice(0, full.lastIndexOf("/"));
    Deno.mkdirSync(folder, { recursive: true, mode: folderMode });
    Deno.writeTextFileSync(full, text, { mode });
  }

  read(path: string): string {
    return Deno.readTextFileSync(`${this.root}/${path}`);
  }

  has(path: string): boolean {
    try {
      return Deno.statSync(`${this.root}/${path}`).size > 0;
    } catch {
      return false; // not there yet
    }
  }

  ledgerPath(issue: number): string {
    return `.agentx/state/clarifications/issue-${issue}.json`;
  }

  ledger(issue = 42): LedgerFile {
    return JSON.parse(this.read(this.ledgerPath(issue)));
  }

  /** Runs a command line in this process. */
  async run(argv: readonly string[], options: FakeIoOptions = {}): Promise<Ran> {
    const io = new FakeIo(options);
    const code = await main(["--root", this.root, ...argv], io);
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
    return { code, out: io.out, err: io.err };
  }

  /** As {@linkcode TempWorkspace.run} with `--json`: the value on stdout, or the error on stderr. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  async json(argv: readonly string[], options: FakeIoOptions = {}): Promise<any> {
    const { out, err } = await this.run([...argv, "--json"], options);
    return JSON.parse(out || err);
  }

  /** A person at a terminal looks at what would be run, and agrees. */
  async trust(): Promise<Ran> {
    return await this.run(["trust"], { terminal: true, stdin: "y\n" });
  }

  /** Starts a command line as a process of its own. */
  spawn(argv: readonly string[], options: SpawnOptions = {}): Deno.ChildProcess {
    return spawnAgentx(argv, { cwd: this.root, ...options });
  }

  /** Every path under the folder with its content. */
  /** Reads an issue. */
  issue(number: number): Issue {
    return new IssueStore(this.root, new FileLockManager()).get(number);
  }

  /** Takes the issues away, as the switch to a branch without them does, and what is known of them here. */
  takeIssues(): Record<string, string> {
    const files = Object.entries(this.snapshot())
      .filter(([path]) => /^\/\.agentx\/issues\/.*\.jsonl$/.test(path));
    Deno.removeSync(`${this.root}/.agentx/issues`, { recursive: true });
    Deno.removeSync(`${this.root}/.agentx/state/lines`, { recursive: true });
    return Object.fromEntries(files);
  }

  /** Brings issues that were taken away, as a merge does. */
  bringIssues(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) this.write(path.slice(1), text);
  }

  snapshot(): Record<string, string> {
    return snapshotOf(this.root);
  }

  [Symbol.dispose](): void {
    this.user[Symbol.dispose]();
    removeFolder(this.root);
  }
}

/** Kills the agent of CLR-42-001 that has outlived whoever asked for it. */
export async function killAgent(temp: TempWorkspace): Promise<void> {
  const { pid } = JSON.parse(temp.read(".agentx/state/runs/CLR-42-001.run/run.json"));
  Deno.kill(-pid, "SIGKILL");
  while (sys.processStart(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Options of {@linkcode spawnAgentx}. */
export interface SpawnOptions {
  /** Working folder. */
  cwd?: string;
  /** Variables besides those that every program needs. */
  env?: Record<string, string>;
  /**
   * The words that start `agentx`.
   *
   * @default {cli.ts on Deno}
   */
  program?: readonly string[];
}

/** Starts `agentx` as a process, in an environment without an agent. */
export function spawnAgentx(
  argv: readonly string[],
  { cwd, env = {}, program: [program, ...args] = AGENTX.split(" ") }: SpawnOptions = {},
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args, ...argv],
    cwd,
    clearEnv: true,
    env: { ...environment(), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** What every program needs, and whose settings and consent count; no agent is in it. */
export function environment(): Record<string, string> {
  const kept = ["PATH", "DENO_DIR", "TMPDIR", ...USER_VARIABLES].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
}

/** Waits for the end of a process. */
export async function ended(child: Deno.ChildProcess): Promise<Ran> {
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/**
 * Sends a signal to a process that may have ended by itself.
 *
 * @returns whether it was still there
 */
export function signal(child: Deno.ChildProcess, name: Deno.Signal): boolean {
  try {
    child.kill(name);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Every path under a folder with its content: a file's text, a link's target, `/` for a folder. */
export function snapshotOf(folder: string): Record<string, string> {
  const entries = Array.from(walkSync(folder), ({ path, isFile, isSymlink }) => {
    const content = isSymlink
      ? Deno.readLinkSync(path)
      : isFile
      ? Deno.readTextFileSync(path)
      : "/";
    return [path.slice(folder.length), content] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}

/** Any text will do for a document of a feature. */
export function withoutTemplates(temp: TempWorkspace): void {
  const path = ".agentx/workflows/feature.toml";
  temp.write(path, temp.read(path).replaceAll(/^template = .*\n/gm, ""));
}
