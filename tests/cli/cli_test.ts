import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import type { CommandEntry } from "../../lib/cli/command.ts";
import { sys } from "../../lib/sys/mod.ts";
import { FakeIo, type FakeIoOptions } from "./fake_io.ts";
import { hostileError, SAMPLE_COMMANDS, tableOf, twoSteps } from "./sample_commands.ts";

interface Ran {
  code: number;
  io: FakeIo;
}

async function run(
  argv: string[],
  options: FakeIoOptions & { commands?: readonly CommandEntry[] } = {},
): Promise<Ran> {
  const { commands = SAMPLE_COMMANDS } = options;
  const io = new FakeIo(options);
  return { code: await main(argv, io, { commands }), io };
}

/** Replaces the signal handler of the system; `send` fires what was installed. */
async function withSignals(
  test: (signals: { send(): void; installed: number }) => Promise<void>,
): Promise<void> {
  const { onInterrupt } = sys;
  const handlers = new Set<(signal: string) => void>();
  sys.onInterrupt = (handler) => {
    handlers.add(handler);
    return () => handlers.delete(handler);
  };
  try {
    await test({
      send: () => handlers.forEach((handler) => handler("SIGINT")),
      get installed() {
        return handlers.size;
      },
    });
  } finally {
    sys.onInterrupt = onInterrupt;
  }
}

Deno.test("main() prints text on stdout and nothing else", async () => {
  const { code, io } = await run(["clarify", "ask", "SQL?"]);
  assertEquals([code, io.out, io.err], [0, "asked SQL?\n", ""]);
});

Deno.test("main() prints one JSON value with its kind under --json", async () => {
  const { io } = await run(["clarify", "ask", "SQL?", "-i", "42", "--json"]);
  assertEquals(JSON.parse(io.out), {
    schemaVersion: 1,
    kind: "clarification.input",
    input: { issue: 42, mode: "brief", nonBlocking: false, question: "SQL?" },
  });
});

Deno.test("main() knows --json in PowerShell's spelling", async () => {
  const { io } = await run(["clarify", "-Json"]);
  assertEquals(JSON.parse(io.out).kind, "clarification.list");
});

Deno.test("main() leaves --json after -- to the command", async () => {
  const { io } = await run(["clarify", "ask", "--", "--json"]);
  assertEquals(io.out, "asked --json\n");
});

Deno.test("main() prints an empty list as a list", async () => {
  const { io } = await run(["clarify", "--json"]);
  assertEquals(JSON.parse(io.out).clarifications, []);
});

Deno.test("main() gives a list what narrows it", async () => {
  const { io } = await run(["clarify", "--issue", "42", "--json"]);
  assertEquals(JSON.parse(io.out).issue, 42);
});

Deno.test("main() gives the exit code of the result", async () => {
  assertEquals((await run(["clarify"])).code, 7);
});

Deno.test("main() prints nothing where the text is empty", async () => {
  assertEquals((await run(["clarify"])).io.out, "");
});

Deno.test("main() takes global options before the command", async () => {
  const { io } = await run(["--json", "--root", "/elsewhere", "clarify", "ask", "SQL?"]);
  assertEquals(JSON.parse(io.out).input.question, "SQL?");
});

Deno.test("main() gives the command the folder of --root", async () => {
  const commands = tableOf((context) => Promise.resolve({ output: { root: context.root } }));
  assertEquals((await run(["go", "--root", "/a b"], { commands })).io.out, '{"root":"/a b"}\n');
});

Deno.test("main() maps a failure to its exit code", async () => {
  const commands = tableOf(() => Promise.reject(hostileError()));
  assertEquals((await run(["go"], { commands })).code, 1);
});

Deno.test("main() prints what to do next, indented", async () => {
  const commands = tableOf(() => Promise.reject(hostileError()));
  const { io } = await run(["go"], { commands });
  assertEquals(io.err, "error: Cannot ask: it said \\u{1b}[2J\n  Look at the agent\n");
});

Deno.test("main() prints an error as JSON on stderr under --json", async () => {
  const { io } = await run(["clarify", "--issue", "0", "--json"]);
  const { error } = JSON.parse(io.err);
  assertEquals([io.out, error.code, error.details.field], ["", "INVALID_INPUT", "--issue"]);
});

Deno.test("main() lets no escape sequence through in the JSON of an error", async () => {
  const commands = tableOf(() => Promise.reject(hostileError()));
  const { io } = await run(["go", "--json"], { commands });
  assert(!io.err.includes("\x1b"));
});

Deno.test("main() lets no escape sequence of the command line through", async () => {
  const { io } = await run(["clar\x1b[2Jify"], { terminal: true, env: { NO_COLOR: "1" } });
  assert(!io.err.includes("\x1b"));
});

Deno.test("main() shows an unforeseen error as a bug with its stack", async () => {
  const commands = tableOf(() => Promise.reject(new TypeError("broken")));
  const { code, io } = await run(["go"], { commands });
  assertEquals(code, 70);
  assert(io.err.includes("This is a bug") && io.err.includes("TypeError: broken"));
  assert(io.err.includes("cli_test.ts"));
});

Deno.test("main() colours only on a terminal", async () => {
  assertEquals((await run(["clarify", "ask", "x"])).io.out, "asked x\n");
  const { io } = await run(["clarify", "ask", "x"], { terminal: true });
  assertEquals(io.out, "\x1b[1masked\x1b[22m x\n");
});

Deno.test("main() obeys FORCE_COLOR, and NO_COLOR before it", async () => {
  const isColoured = async (env: Record<string, string>, terminal: boolean) =>
    (await run(["clarify", "ask", "x"], { env, terminal })).io.out.includes("\x1b");
  assertEquals(await isColoured({ FORCE_COLOR: "1" }, false), true);
  assertEquals(await isColoured({ FORCE_COLOR: "0" }, true), false);
  assertEquals(await isColoured({ NO_COLOR: "1" }, true), false);
  assertEquals(await isColoured({ NO_COLOR: "1", FORCE_COLOR: "1" }, true), false);
});

Deno.test("main() reads standard input only where a dash asks for it", async () => {
  const { io } = await run(["clarify", "ask", "x"], { stdin: "from stdin" });
  assertEquals(io.stdinReads, 0);
});

Deno.test("main() reads a text from standard input without its last newline", async () => {
  const { io } = await run(["clarify", "ask", "-", "--json"], { stdin: "a\n\nb\n\n" });
  assertEquals(JSON.parse(io.out).input.question, "a\n\nb\n");
});

Deno.test("main() refuses to read two texts from standard input", async () => {
  const { code, io } = await run(["clarify", "ask", "-", "--topic", "-"], { stdin: "x" });
  assertEquals([code, io.stdinReads], [2, 0]);
});

Deno.test("main() refuses an empty standard input as it refuses an empty text", async () => {
  const { code, io } = await run(["clarify", "ask", "-"], { stdin: "\n" });
  assertEquals(code, 2);
  assert(io.err.includes("QUESTION must have 1 to 40 characters"));
});

Deno.test("main() names a missing argument and points to the help", async () => {
  const { code, io } = await run(["clarify", "ask"]);
  assertEquals(code, 2);
  assertEquals(
    io.err,
    "error: Cannot run agentx clarify ask: QUESTION is required (what to ask)\n" +
      "  Give it as in: agentx clarify ask --issue 42 'SQL?'. See: agentx clarify ask --help\n",
  );
});

Deno.test("main() says which values a flag takes", async () => {
  const { io } = await run(["clarify", "ask", "x", "--mode", "long"]);
  assert(io.err.includes('--mode must be one of brief, full, not "long"'));
});

Deno.test("main() names the flag as it was written", async () => {
  const { io } = await run(["clarify", "ask", "x", "-i", "-1", "--json"]);
  assertEquals(JSON.parse(io.err).error.details, { field: "-i", value: "-1" });
});

Deno.test("main() refuses an unknown flag with a suggestion", async () => {
  const { code, io } = await run(["clarify", "ask", "x", "--isue", "42"]);
  assertEquals(code, 2);
  assert(io.err.includes("Did you mean --issue?"));
});

Deno.test("main() refuses an unknown flag where no command is named", async () => {
  assertEquals((await run(["--bogus"])).code, 2);
});

Deno.test("main() refuses an unknown command with a suggestion", async () => {
  const { code, io } = await run(["clarfy"]);
  assertEquals([code, io.out], [2, ""]);
  assert(io.err.includes('Did you mean "agentx clarify"?'));
});

Deno.test("main() refuses an unknown subcommand with a suggestion", async () => {
  const { code, io } = await run(["clarify", "aks", "x"]);
  assertEquals(code, 2);
  assert(io.err.includes('Did you mean "agentx clarify ask"?'));
});

Deno.test("main() says which subcommands there are where one is missing", async () => {
  const { code, io } = await run(["config"]);
  assertEquals(code, 2);
  assert(io.err.includes("One of: show."));
});

Deno.test("main() opens the workspace only for a command that asks", async () => {
  const { code, io } = await run(["config", "show", "--root", "/nowhere/at/all"]);
  assertEquals([code, io.out], [3, ""]);
});

Deno.test("main() loads only the module of the command it runs", async () => {
  const loaded: string[] = [];
  const commands = SAMPLE_COMMANDS.map((entry) => ({
    ...entry,
    load: entry.load && (() => (loaded.push(entry.name), entry.load!())),
  }));
  await run(["clarify", "ask", "x"], { commands });
  assertEquals(loaded, ["clarify ask"]);
});

Deno.test("main() prints the results of a stream as they come", async () => {
  const { code, io } = await run(["go"], { commands: tableOf(twoSteps) });
  assertEquals([code, io.out], [7, '{"step":1}\n{"step":2}\n']);
});

Deno.test("main() prints the last result of a stream under --json", async () => {
  const { io } = await run(["go", "--json"], { commands: tableOf(twoSteps) });
  assertEquals(JSON.parse(io.out), { schemaVersion: 1, kind: "step", step: 2 });
});

Deno.test("main() prints a line of JSON per result where the command says so", async () => {
  const commands = tableOf(twoSteps, { jsonLines: true });
  const { io } = await run(["go", "--json"], { commands });
  const lines = io.out.trimEnd().split("\n").map((line) => JSON.parse(line).step);
  assertEquals(lines, [1, 2]);
});

Deno.test("main() prints JSON without a terminal where the command says so", async () => {
  const commands = tableOf(
    ({ isJson }) => Promise.resolve({ output: { isJson } }),
    { jsonLines: true, jsonWhenPiped: true },
  );
  const piped = await run(["go"], { commands });
  assertEquals(JSON.parse(piped.io.out), { schemaVersion: 1, kind: "step", isJson: true });
  const shown = await run(["go"], { commands, terminal: true });
  assertEquals(shown.io.out, '{"isJson":false}\n');
});

Deno.test("main() ends a stream that nobody reads", async () => {
  const { code, io } = await run(["go"], { commands: tableOf(twoSteps), isRead: false });
  assertEquals([code, io.out], [0, '{"step":1}\n']);
});

Deno.test("main() renders each result to the width that the terminal has by then", async () => {
  const io = new FakeIo({ terminal: true });
  async function* resizing() {
    yield await Promise.resolve({ output: {} });
    io.columns = 40;
    yield { output: {} };
  }
  const [entry] = tableOf(resizing);
  const { command } = await entry.load!();
  const render: typeof command.render = (_output, { width }) => String(width);
  const load = () => Promise.resolve({ command: { ...command, render } });
  await main(["go"], io, { commands: [{ ...entry, load }] });
  assertEquals(io.out, "80\n40\n");
});

Deno.test("main() prints no JSON of a stream that fails on its way", async () => {
  async function* failing() {
    yield await Promise.resolve({ output: { step: 1 } });
    throw hostileError();
  }
  const { code, io } = await run(["go", "--json"], { commands: tableOf(failing) });
  assertEquals([code, io.out], [1, ""]);
});

Deno.test("main() exits 130 when a command stops on Ctrl-C, after it cleaned up", async () => {
  await withSignals(async (signals) => {
    let isClean = false;
    const commands = tableOf(({ signal }) => {
      signals.send();
      try {
        signal.throwIfAborted();
        throw new Error("not reached");
      } finally {
        isClean = true;
      }
    });
    const { code, io } = await run(["go", "--json"], { commands });
    assertEquals([code, isClean], [130, true]);
    assertEquals(JSON.parse(io.err).error.code, "INTERRUPTED");
  });
});

Deno.test("main() takes a failure after Ctrl-C for the interruption", async () => {
  await withSignals(async (signals) => {
    const commands = tableOf(() => {
      signals.send();
      return Promise.reject(hostileError());
    });
    assertEquals((await run(["go"], { commands })).code, 130);
  });
});

Deno.test("main() prints the result of a command that ends in spite of Ctrl-C", async () => {
  await withSignals(async (signals) => {
    const commands = tableOf(() => {
      signals.send();
      return Promise.resolve({ output: { step: 1 } });
    });
    const { code, io } = await run(["go"], { commands });
    assertEquals([code, io.out, io.err], [130, '{"step":1}\n', ""]);
  });
});

Deno.test("main() ends at once on a second Ctrl-C", async () => {
  await withSignals(async (signals) => {
    const commands = tableOf(() => {
      signals.send();
      signals.send();
      return Promise.resolve({ output: {} });
    });
    assertEquals((await run(["go"], { commands })).io.exited, 130);
  });
});

Deno.test("main() listens for Ctrl-C only while a command runs", async () => {
  await withSignals(async (signals) => {
    let during = 0;
    const commands = tableOf(() => {
      during = signals.installed;
      return Promise.reject(hostileError());
    });
    await run(["go"], { commands });
    assertEquals([during, signals.installed], [1, 0]);
  });
});

Deno.test("cli.ts prints the version of deno.json and exits 0", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("../../cli.ts", import.meta.url).pathname, "--version"],
  }).output();
  const { version } = JSON.parse(
    Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
  );
  assertEquals([code, new TextDecoder().decode(stdout)], [0, `agentx ${version}\n`]);
});

Deno.test("cli.ts exits with the code of the failure", async () => {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("../../cli.ts", import.meta.url).pathname, "nonsense"],
    stderr: "null",
  }).output();
  assertEquals(code, 2);
});
