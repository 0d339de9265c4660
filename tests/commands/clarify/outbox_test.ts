import { assert, assertEquals } from "@std/assert";
import { main } from "../../../cli.ts";
import { AgentxError } from "../../../lib/errors.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { FakeIo } from "../../cli/fake_io.ts";
import { leaks, LEAKY } from "../../secrets.ts";
import { TempUser } from "../../temp_user.ts";
import { ASK, ended, spawnAgentx } from "../../temp_workspace.ts";
import { TempRepository, testWithGit } from "../../workspace/temp_repository.ts";

/** On a busy machine; what hangs is to fail. */
const PATIENCE_MS = 120_000;

const ANSWER = "cat >/dev/null; pwd -P; echo Both.";

/** A main checkout with a worktree beside it, and a runner that can be started. */
class TempSandbox implements AsyncDisposable {
  readonly #user = new TempUser({ trustsAll: true });
  readonly #repository = new TempRepository();
  readonly root = this.#repository.root;
  readonly tree: string;
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

  async serve(env: Record<string, string> = {}): Promise<void> {
    this.#runner = spawnAgentx(["serve"], { cwd: this.root, env });
    await until(() => this.has(`${this.root}/.agentx/state/runs/serve.json`));
  }

  /** Runs a command line in the worktree of a session that may not write to the main checkout. */
  async run(argv: readonly string[], env: Record<string, string> = {}, closed = [this.root]) {
    const io = new FakeIo({ env });
    const code = await readOnly(closed, () => main(["--root", this.tree, ...argv], io));
    return { code, out: io.out, err: io.err };
  }

  get outbox(): string {
    return `${this.tree}/.agentx/outbox`;
  }

  names(folder = this.outbox): string[] {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#runner?.kill("SIGINT");
    if (this.#runner !== undefined) await ended(this.#runner);
    this.#user[Symbol.dispose]();
    this.#repository[Symbol.dispose]();
  }
}

async function until(isSo: () => boolean): Promise<void> {
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

const REQUEST = {
  issueNumber: 42,
  fromAgent: "engineer",
  toAgent: "architect",
  topic: "Storage",
  question: "Which?",
  blocking: true,
};

testWithGit("clarify ask from a sandbox is answered by serve in the main checkout", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const { code, out, err } = await sandbox.run(ASK);
  assertEquals(code, 0, err);
  assert(out.includes(`A: ${sandbox.root}`) && out.includes("CLR-42-001 is answered"), out);
  assert(err.includes("CLR-42-001 is asked for this session"), err);
  assertEquals(err.includes("agentx serve"), false);
  await until(() => sandbox.names().length === 1); // serve removes the request behind its reply
  assertEquals(sandbox.names(), [".gitignore"]);

  const again = await sandbox.run(["clarify", "ask", "CLR-42-001", "And pooling?"], {
    AGENTX_AGENT: "engineer",
  });
  assertEquals([again.code, sandbox.clarifications()[0].round], [0, 2], again.err);
});

testWithGit(
  "clarify ask from a sandbox says that nobody takes it, and waits for serve",
  async () => {
    await using sandbox = new TempSandbox();
    const asked = sandbox.run([...ASK.slice(0, -1), LEAKY]);
    await until(() => sandbox.has(sandbox.outbox) && sandbox.names().length === 2);
    const [request] = sandbox.names().filter((name) => name.endsWith(".request.json"));
    const text = Deno.readTextFileSync(`${sandbox.outbox}/${request}`);
    assertEquals([text.includes("CLR-"), leaks(text)], [false, false]);
    await sandbox.serve();
    const { code, err } = await asked;
    assertEquals([code, err.includes(`start agentx serve in "${sandbox.root}"`)], [0, true], err);
  },
);

testWithGit(
  "clarify ask from a sandbox takes its question back when it is interrupted",
  async () => {
    await using sandbox = new TempSandbox();
    const { onInterrupt } = sys;
    let interrupt: (name: string) => void = () => {};
    sys.onInterrupt = (handler) => {
      interrupt = handler;
      return () => {};
    };
    try {
      const asked = sandbox.run(ASK);
      await until(() => sandbox.has(sandbox.outbox) && sandbox.names().length === 2);
      interrupt("SIGINT");
      const { code, err } = await asked;
      assertEquals([code, err.includes("it is withdrawn")], [130, true], err);
      assertEquals(sandbox.names(), [".gitignore"]);
    } finally {
      sys.onInterrupt = onInterrupt;
    }
  },
);

testWithGit(
  "clarify ask names the variable where no folder can be written, and exits 1",
  async () => {
    await using sandbox = new TempSandbox();
    const { code, err } = await sandbox.run(ASK, {}, [sandbox.root, sandbox.tree]);
    assertEquals([code, err.includes("Set AGENTX_OUTBOX to a folder")], [1, true], err);
  },
);

testWithGit("clarify ask and serve use the folder that AGENTX_OUTBOX names", async () => {
  await using sandbox = new TempSandbox();
  const folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  const env = { AGENTX_OUTBOX: folder };
  await sandbox.serve(env);
  const { code, err } = await sandbox.run(ASK, env, [sandbox.root, sandbox.tree]);
  assertEquals(code, 0, err);
  await until(() => sandbox.names(folder).length === 1);
  assertEquals(sandbox.names(folder), [".gitignore"]);
  Deno.removeSync(folder, { recursive: true });
});

testWithGit("clarify ask from a sandbox fails as it would outside of it", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const { code, err } = await sandbox.run([...ASK.with(7, "tester"), "--json"]);
  const { error } = JSON.parse(err.slice(err.indexOf("{")));
  assertEquals([code, error.code, error.details.allowed], [6, "SCOPE_VIOLATION", ["architect"]]);
  assertEquals(sandbox.clarifications(), []);
});

testWithGit("clarify ask from a sandbox needs to know which agent asks again", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  assertEquals(
    (await sandbox.reply(sandbox.plant({ ask: REQUEST }))).clarificationId,
    "CLR-42-001",
  );
  const { code, err } = await sandbox.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals(code, 2);
  assert(err.includes("nothing says which agent asks") && err.includes("--as"), err);
  assertEquals(sandbox.names().filter((name) => name.endsWith(".request.json")), []);
});

testWithGit("serve asks a request once, whoever writes its nonce again", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const nonce = sandbox.plant({ ask: REQUEST });
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-001");
  await until(() => !sandbox.has(`${sandbox.outbox}/${nonce}.request.json`));
  sandbox.plant({ ask: REQUEST }, nonce);
  const other = sandbox.plant({ ask: REQUEST });
  assertEquals((await sandbox.reply(other)).clarificationId, "CLR-42-002");
  assertEquals(sandbox.clarifications().length, 2);
});

testWithGit("serve takes a request that was half written when it looked", async () => {
  await using sandbox = new TempSandbox();
  const nonce = sandbox.plant({ ask: REQUEST });
  const path = `${sandbox.outbox}/${nonce}.request.json`;
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.slice(0, 20));
  await sandbox.serve();
  await sandbox.reply(sandbox.plant({ ask: REQUEST }));
  Deno.writeTextFileSync(path, text);
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-002");
});

const NO_REQUESTS: unknown[] = [
  null,
  { ask: { ...REQUEST, fromAgent: "human" } },
  { ask: { ...REQUEST, blocking: "yes" } },
  { followUp: { clarificationId: "CLR-42-001", by: "agent-x", question: "Why?" } },
];

testWithGit(
  "serve leaves alone what is no request, a link, and a folder that is not registered",
  async () => {
    await using sandbox = new TempSandbox();
    const before = NO_REQUESTS.map((request) => sandbox.plant(request));
    const nonce = crypto.randomUUID();
    const elsewhere = `${sandbox.tree}/elsewhere.json`;
    Deno.writeTextFileSync(elsewhere, JSON.stringify({ ask: REQUEST }));
    Deno.symlinkSync(elsewhere, `${sandbox.outbox}/${nonce}.request.json`);
    const copy = `${sandbox.tree}/../copy`;
    Deno.mkdirSync(`${copy}/.agentx/outbox`, { recursive: true });
    Deno.copyFileSync(`${sandbox.tree}/.git`, `${copy}/.git`);
    Deno.copyFileSync(elsewhere, `${copy}/.agentx/outbox/${crypto.randomUUID()}.request.json`);
    await sandbox.serve();
    const good = sandbox.plant({ ask: REQUEST });
    await sandbox.reply(good);
    assertEquals(sandbox.clarifications().length, 1);
    for (const each of [...before, nonce]) {
      assertEquals(sandbox.has(`${sandbox.outbox}/${each}.reply.json`), false);
    }
  },
);
