import { assert, assertEquals } from "@std/assert";
import { main } from "../../../cli.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { FakeIo, type FakeIoOptions } from "../../cli/fake_io.ts";
import { HookSession } from "../../hooks/hook_session.ts";
import { ADR_ARCHITECT, TempWorkspace } from "../../temp_workspace.ts";

const TERMINAL = { terminal: true, env: { NO_COLOR: "1" } };

/** What it says on a terminal when it has begun. */
const BEGUN = "note: watching the clarifications; Ctrl-C ends it\n";

const ASK = [
  "clarify",
  "ask",
  "-i",
  "42",
  "--from",
  "engineer",
  "--to",
  "architect",
  "--topic",
  "DB",
];

/** A `clarify watch` that runs in this process. */
interface Watch {
  io: FakeIo;
  /** Waits until something stands in the output or on standard error. */
  until(text: string): Promise<void>;
  /** Presses Ctrl-C and waits for the exit code. */
  stop(): Promise<number>;
}

async function withWatch(
  workspace: TempWorkspace,
  test: (watch: Watch) => Promise<void>,
  { argv = [], ...options }: FakeIoOptions & { argv?: string[] } = {},
): Promise<void> {
  const { onInterrupt } = sys;
  let interrupt = () => {};
  const started = new Promise<void>((resolve) => {
    sys.onInterrupt = (handler) => {
      interrupt = () => handler("SIGINT");
      sys.onInterrupt = onInterrupt; // the handler is the watch's alone
      resolve();
      return () => {};
    };
  });
  const io = new FakeIo(options);
  const ended = main(["--root", workspace.root, "clarify", "watch", ...argv], io);
  await started;
  try {
    await test({
      io,
      until: (text) => until(() => (io.out + io.err).includes(text), () => io.out + io.err),
      stop: () => (interrupt(), ended),
    });
  } finally {
    interrupt();
    await ended;
  }
}

async function until(isTrue: () => boolean, describe: () => string): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!isTrue()) {
    assert(performance.now() < deadlineMs, `nothing came; there is: ${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("clarify watch prints a line of JSON for each event in a pipe", async () => {
  using workspace = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
  workspace.write("docs/adr/ADR-42.md", "Decision: PostgreSQL\n");
  await withWatch(workspace, async ({ io, until }) => {
    await workspace.run([...ASK, "Which?"]);
    await until("clarification-answered");
    const lines = io.out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.map(({ event }) => event.operation), [
      "clarification-requested",
      "clarification-answered",
    ]);
    const { event: { time: _, ...event }, ...envelope } = lines[0];
    assertEquals(envelope, { schemaVersion: 1, kind: "clarification.event" });
    assertEquals(event, {
      operation: "clarification-requested",
      clarificationId: "CLR-42-001",
      issueNumber: 42,
      agent: "engineer",
      fromAgent: "engineer",
      toAgent: "architect",
      blocking: true,
      round: 1,
      status: "pending",
    });
  }, { argv: ["--since", "1m"] });
});

Deno.test("clarify watch prints what was written on a terminal", async () => {
  using workspace = new TempWorkspace();
  await withWatch(workspace, async ({ io, until }) => {
    await until(BEGUN);
    await workspace.run([...ASK, "Which \x1b[2J?"]);
    await until("CLR-42-001");
    assert(
      io.out.endsWith("  CLR-42-001  engineer -> architect  asks: DB: Which \\u{1b}[2J?\n"),
      io.out,
    );
  }, TERMINAL);
});

Deno.test("clarify watch says how far each answer got, and what it waits for", async () => {
  using workspace = new TempWorkspace();
  const session = new HookSession(workspace);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const lines = async (watch: Watch) => {
    await watch.until(BEGUN);
    await session.run([...ASK, "--non-blocking", "Which?"]);
    await watch.until("question CLR-42-001.1: waiting for a session of architect to start");
    await workspace.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
    await watch.until("answer CLR-42-001.2: waiting for a session of engineer@claude-3f2a");
    await session.fire("PostToolUse");
    await watch.until("answer CLR-42-001.2: delivered to engineer@claude-3f2a");
    await session.fire("PostToolUse");
    await watch.until("as its next event proves; waits for it to resolve or ask again");
    await session.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
    await watch.until("answer CLR-42-001.2: read: engineer@claude-3f2a acted at");
    assert(!/\bsent\b/.test(watch.io.out), watch.io.out);
  };
  await withWatch(workspace, lines, { ...TERMINAL, columns: 200 });
});

Deno.test("clarify watch prints a line of JSON for a delivery that got further", async () => {
  using workspace = new TempWorkspace();
  const session = new HookSession(workspace);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run([...ASK, "--non-blocking", "Which?"]);
  await workspace.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  await withWatch(workspace, async ({ io, until }) => {
    await until("CLR-42-001.2"); // with the event of its answer
    await session.fire("PostToolUse");
    await until('"state":"offered"');
    const { event, delivery } = JSON.parse(io.out.trimEnd().split("\n").at(-1)!);
    assertEquals([event, delivery.id, delivery.state], [null, "CLR-42-001.2", "offered"]);
  }, { argv: ["--since", "1m"] });
});

Deno.test("clarify watch begins with what comes next", async () => {
  using workspace = new TempWorkspace();
  await workspace.run([...ASK, "Before?"]);
  await withWatch(workspace, async ({ io, until }) => {
    await until(BEGUN);
    await workspace.run([...ASK, "After?"]);
    await until("CLR-42-002");
    assert(!io.out.includes("CLR-42-001"));
  }, TERMINAL);
});

Deno.test("clarify watch --since begins with what happened before", async () => {
  using workspace = new TempWorkspace();
  await workspace.run([...ASK, "Before?"]);
  await withWatch(workspace, ({ until }) => until("CLR-42-001"), { argv: ["--since", "10m"] });
});

Deno.test("clarify watch leaves out operations that are no events of clarifications", async () => {
  using workspace = new TempWorkspace();
  const time = new Date().toISOString();
  const operations = ["lock-waited", "agent-started", "clarification-requested"];
  const lines = operations.map((operation) => JSON.stringify({ time, operation }) + "\n");
  lines.push(
    JSON.stringify({ time, operation: "clarification-stale", clarificationId: "X" }) + "\n",
  );
  workspace.write(`.agentx/log/${time.slice(0, 10)}.jsonl`, lines.join(""));
  await withWatch(workspace, async ({ io, until }) => {
    await until("clarification-stale");
    assertEquals(io.out.split("\n").length, 2);
  }, { argv: ["--since", "1m"] });
});

Deno.test("clarify watch exits 130 on Ctrl-C and leaves the terminal a line of its own", async () => {
  using workspace = new TempWorkspace();
  await withWatch(workspace, async ({ io, stop, until }) => {
    await until(BEGUN);
    assertEquals([await stop(), io.out, io.err], [130, "", `${BEGUN}\n`]);
  }, TERMINAL);
});

Deno.test("clarify watch says nothing besides the events in a pipe", async () => {
  using workspace = new TempWorkspace();
  await withWatch(workspace, async ({ io, stop }) => {
    assertEquals([await stop(), io.out, io.err], [130, "", ""]);
  });
});

Deno.test("clarify watch warns of a log that cannot be read, and goes on", async () => {
  using workspace = new TempWorkspace();
  const name = `${new Date().toISOString().slice(0, 10)}.jsonl`;
  Deno.mkdirSync(`${workspace.root}/.agentx/log/${name}`, { recursive: true });
  await withWatch(workspace, async ({ stop, until }) => {
    await until("Cannot follow the log");
    assertEquals(await stop(), 130);
  });
});

Deno.test("clarify watch ends when nobody reads it any more", async () => {
  using workspace = new TempWorkspace();
  await workspace.run([...ASK, "Before?"]);
  const io = new FakeIo({ isRead: false });
  const argv = ["--root", workspace.root, "clarify", "watch", "--since", "10m"];
  assertEquals(await main(argv, io), 0);
});

Deno.test("clarify watch shows the events of another process, and ends on SIGINT", async () => {
  using workspace = new TempWorkspace();
  const watch = workspace.spawn(["clarify", "watch", "--since", "1m"]);
  let out = "";
  const reading = (async () => {
    for await (const text of watch.stdout.pipeThrough(new TextDecoderStream())) out += text;
  })();
  const ask = workspace.spawn([...ASK, "Which?"]);
  assertEquals((await ask.output()).code, 7);
  await until(() => out.includes("CLR-42-001"), () => out);
  watch.kill("SIGINT");
  const { code } = await watch.status;
  await reading;
  await watch.stderr.cancel();
  assertEquals(code, 130);
});
