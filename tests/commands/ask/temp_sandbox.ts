/**
 * A session in a sandbox: it works in a worktree, and may not write to the main checkout.
 *
 * @module
 */

import { main } from "../../../cli.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { FakeIo } from "../../cli/fake_io.ts";
import { TempUser } from "../../temp_user.ts";
import { ended, spawnAgentx } from "../../temp_workspace.ts";
import { TempRepository } from "../../workspace/temp_repository.ts";

/** On a busy machine; what hangs is to fail. */
const PATIENCE_MS = 120_000;

const ANSWER = "cat >/dev/null; pwd -P; echo Both.";

/** A main checkout with a worktree beside it, and a runner that can be started. */
export class TempSandbox implements AsyncDisposable {
  readonly #user = new TempUser({ trustsAll: true });
  readonly #repository = new TempRepository();
  readonly root = this.#repository.root;
  tree: string;
  #runner: Deno.ChildProcess | undefined;

  constructor(script = ANSWER) {
    for (const folder of ["state", "workflows"]) {
      Deno.mkdirSync(`${this.root}/.agentx/${folder}`, { recursive: true, mode: 0o755 });
    }
    const write = (path: string, text: string) =>
      Deno.writeTextFileSync(`${this.root}/.agentx/${path}`, text);
    const agents = { architect: { command: ["sh", "-c", script] } };
    write("config.json", JSON.stringify({ agents, clarify: { retryDelaySeconds: 0 } }));
    const step = '[[steps]]\nid = "implement"\nagent = "engineer"\ncan_clarify = ["architect"]\n';
    write("workflows/feature.toml", step);
    this.tree = this.#repository.worktree();
  }

  /** Makes another worktree, where the session works from now on. */
  moveToNewTree(): void {
    this.tree = this.#repository.worktree("third");
  }

  /** Git in the worktree. */
  git(...args: string[]): void {
    this.#repository.gitIn(this.tree, ...args);
  }

  async serve(env: Record<string, string> = {}): Promise<void> {
    this.#runner = spawnAgentx(["serve"], { cwd: this.root, env });
    await until(() => this.has(`${this.root}/.agentx/state/runs/serve.json`));
  }

  /** Runs a command line in the worktree of a session that may not write to the main checkout. */
  async run(
    argv: readonly string[],
    env: Record<string, string> = {},
    closed = [this.root],
    io = new FakeIo({ env }),
  ) {
    const code = await readOnly(closed, () => main(["--root", this.tree, ...argv], io));
    return { code, out: io.out, err: io.err };
  }

  /** As {@linkcode run}, in which it goes on while a test acts. */
  start(argv: readonly string[]) {
    const io = new FakeIo();
    return { io, ended: this.run(argv, {}, [this.root], io) };
  }

  get outbox(): string {
    return `${this.tree}/.agentx/outbox`;
  }

  names(folder = this.outbox): string[] {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
  }

  /** Nonces of the requests that are there. */
  get requests(): string[] {
    if (!this.has(this.outbox)) return [];
    return this.names().flatMap((name) => /^(.+)\.request\.json$/.exec(name)?.[1] ?? []);
  }

  /** Puts a request there by hand. */
  plant(request: unknown, nonce: string = crypto.randomUUID()): string {
    Deno.mkdirSync(this.outbox, { recursive: true });
    Deno.writeTextFileSync(`${this.outbox}/${nonce}.request.json`, JSON.stringify(request));
    return nonce;
  }

  async reply(nonce: string) {
    const path = `${this.outbox}/${nonce}.reply.json`;
    const read = () => this.has(path) ? JSON.parse(Deno.readTextFileSync(path)) : undefined;
    await until(() => (read()?.outcome ?? read()?.error ?? null) !== null);
    return read();
  }

  clarifications() {
    const path = `${this.root}/.agentx/state/clarifications/issue-42.json`;
    return this.has(path) ? JSON.parse(Deno.readTextFileSync(path)).clarifications : [];
  }

  has(path: string): boolean {
    return sys.lstat(path) !== undefined;
  }

  /** Ends the runner; returns what it has said. */
  async stop(signal: Deno.Signal = "SIGINT"): Promise<string> {
    this.#runner?.kill(signal);
    const { err } = await ended(this.#runner!);
    this.#runner = undefined;
    return err;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#runner !== undefined) await this.stop();
    this.#user[Symbol.dispose]();
    this.#repository[Symbol.dispose]();
  }
}

export async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`Waited in vain: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What writes refuses to, below some folders, as on a read-only mount. */
async function readOnly<T>(folders: string[], action: () => Promise<T>): Promise<T> {
  const { makeDir, createFile, writeNewFile, appendTextFile, openFile } = sys;
  const guarded =
    <A extends unknown[], R>(write: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R => {
      if (!folders.some((folder) => path.startsWith(`${folder}/`))) return write(path, ...rest);
      throw new AgentxError(
        "IO_ERROR",
        `Cannot write "${path}": the file system is read-only (EROFS)`,
        {
          details: { operation: "write", path, errno: "EROFS" },
        },
      );
    };
  Object.assign(sys, {
    makeDir: guarded(makeDir),
    createFile: guarded(createFile),
    writeNewFile: guarded(writeNewFile),
    appendTextFile: guarded(appendTextFile),
    openFile: guarded(openFile),
  });
  try {
    return await action();
  } finally {
    Object.assign(sys, { makeDir, createFile, writeNewFile, appendTextFile, openFile });
  }
}

/** What a session asks. */
export const REQUEST = {
  issueNumber: 42,
  fromAgent: "engineer",
  toAgent: "architect",
  topic: "Storage",
  question: "Which?",
  blocking: true,
};
