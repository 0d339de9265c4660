import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { main } from "../../cli.ts";
import { sys } from "../../lib/sys/mod.ts";
import { askWords } from "../gate/samples.ts";
import { TempBoard } from "../board/temp_board.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const ENTER = "\x1b[?1049h";
const LEAVE = "\x1b[?1049l";
const CLEAR = "\x1b[H\x1b[2J";

/** Something of each kind; six issues are ready. */
async function busy(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ agents: { architect: "sleep 5; echo Done." } });
  for (const title of ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"]) {
    await temp.run(["issue", "create", "--title", title]);
  }
  await temp.run(["hook", "start", "reviewer", "1"]);
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  await temp.run([...askWords({ issue: "9" }), "--no-wait"]);
  await temp.run([...ASK.slice(0, -1), "Which pool?", "--non-blocking"]);
  return temp;
}

Deno.test("status tells what runs, waits for the human or for others, and is ready", async () => {
  using temp = await busy();
  const { kind, lastSeen, waitingForYou, waitingForOthers, ready, more } = await temp.json([
    "status",
  ]);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  assertEquals(kind, "status");
  assertEquals(lastSeen.map(({ agent }: { agent: string }) => agent), ["engineer", "reviewer"]);
  assertEquals(ids(waitingForYou), ["ASK-001", "CLR-42-001"]);
  assertEquals(ids(waitingForOthers), ["CLR-42-002"]);
  assertEquals([ready.length, more.ready, more.waitingForYou], [5, 1, 0]);
});

Deno.test("a question without an answer waits for nobody once its issue is closed, unless it was asked later", async () => {
  using temp = new TempWorkspace();
  for (const title of ["First", "Second"]) await temp.run(["issue", "create", "--title", title]);
  const ask = (to: string, issue: string) =>
    temp.run(["ask", to, `Which of the two, for ${to}?`, "--issue", issue, "--as", "engineer"]);
  await ask("architect", "1"); // no agent is configured for it
  const waiting = async () => {
    const { waitingForYou } = await temp.json(["status"]);
    const { entries } = await temp.json(["inbox"]);
    await using board = await TempBoard.start(temp);
    const [now, inbox] = [await board.view("now"), await board.view("inbox")];
    return [
      waitingForYou.map(({ id }: { id: string }) => id).join(),
      entries.map(({ id }: { id: string }) => id).join(),
      ...[now, inbox].map((html) => [...new Set(html.match(/CLR-1-\d+/g))].sort().join()),
    ];
  };
  assertEquals(await waiting(), Array(4).fill("CLR-1-001"));
  await temp.run(["issue", "close", "1"]);
  assertEquals(await waiting(), Array(4).fill(""));
  await ask("product-manager", "1");
  assertEquals(await waiting(), Array(4).fill("CLR-1-002"));
  await temp.run(["issue", "edit", "1", "-s", "Ready"]);
  assertEquals(await waiting(), Array(4).fill("CLR-1-001,CLR-1-002"));
});

Deno.test("status is one screen of 80 columns, and says what to do next", async () => {
  using temp = await busy();
  const { code, out } = await temp.run(["status"], { terminal: true, env: { NO_COLOR: "1" } });
  const lines = out.trimEnd().split("\n");
  assertEquals([code, lines.length <= 24], [0, true], out);
  assertEquals(lines.filter((line) => line.length > 80), []);
  for (const word of ["Running", "Waiting for you", "Waiting for others", "Ready"]) {
    assert(lines.some((line) => line.startsWith(`  ${word}`)), out);
  }
  assert(out.includes("agentx answer ID") && out.includes("agentx clarify run"), out);
});

Deno.test("status calls nobody working without a process, a fresh session or a lease", async () => {
  using temp = await busy();
  const env = { AGENTX_AGENT: "engineer@claude-3f2a" };
  await temp.run(["state", "engineer@claude-3f2a", "--set", "working", "-i", "3"], { env });
  await temp.run(["ready", "--claim", "tester", "--issue", "4"]);
  const said = async () => {
    const { out } = await temp.run(["status"]);
    let title = "";
    return Object.fromEntries(
      out.split("\n").flatMap((line) => {
        title = /^ {2}(\w.*?)(?::|$)/.exec(line)?.[1] ?? title;
        const [, who] = /^ {4}([a-z]\S+) +#\d+ /.exec(line) ?? [];
        return who === undefined ? [] : [[who, title]];
      }),
    );
  };
  const working = { "engineer@claude-3f2a": "Running", "tester": "Running" };
  assertEquals(await said(), { ...working, "engineer": "Last seen", "reviewer": "Last seen" });
  const { running, lastSeen } = await temp.json(["status"]);
  const names = (rows: { agent: string }[]) => rows.map(({ agent }) => agent);
  assertEquals(names(running), Object.keys(working));
  assertEquals(names(lastSeen), ["engineer", "reviewer"]);
  const { now } = sys;
  sys.now = () => now() + 31 * 60_000;
  try {
    assertEquals(await said(), {}, "who is silent for half an hour does nothing");
  } finally {
    sys.now = now;
  }
});

Deno.test("status shows for each claimed issue how long it has been claimed", async () => {
  using temp = new TempWorkspace();
  for (const title of ["First", "Second"]) await temp.run(["issue", "create", "--title", title]);
  const agent = "engineer@claude-3f2a";
  const { now } = sys;
  try {
    for (const minutes of [0, 20]) {
      sys.now = () => now() + minutes * 60_000;
      await temp.run(["ready", "--claim", agent]);
    }
    const { out } = await temp.run(["status"]);
    const ages = [...out.matchAll(/(#\d) +(\d+[sm])\b/g)].map(([, issue, age]) => [issue, age]);
    assertEquals(ages.toSorted().map(([issue, age]) => [issue, age.at(-1)]), [
      ["#1", "m"],
      ["#2", "s"],
    ]);
  } finally {
    sys.now = now;
  }
});

Deno.test("status and inbox say why nobody answers, within 80 columns", async () => {
  using temp = new TempWorkspace();
  await temp.run([...ASK.slice(0, -1), "Which of the two is meant? ".repeat(8)]);
  for (const command of ["status", "inbox"]) {
    for (const options of [{ terminal: true, env: { NO_COLOR: "1" } }, {}]) {
      const { out } = await temp.run([command], { ...options, stdin: "q" });
      assert(/nobody answers: no agent is configured for\s+(\| )?architect/.test(out), out);
      if (options.terminal) assertEquals(out.split("\n").filter((line) => line.length > 80), []);
    }
  }
});

Deno.test("status of an empty workspace says so of each kind", async () => {
  using temp = new TempWorkspace();
  const { out } = await temp.run(["status"]);
  assertEquals(
    out,
    "  Running: nothing\n  Waiting for you: nothing\n  Waiting for others: nothing\n" +
      "  Ready: nothing\n",
  );
});

Deno.test("status --watch prints again when something changes, until it is interrupted", async () => {
  using temp = new TempWorkspace();
  const watching = temp.spawn(["status", "--watch", "--json"]);
  const reader = watching.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const first = JSON.parse((await reader.read()).value!);
  await temp.run(["issue", "create", "--title", "First"]);
  const second = JSON.parse((await reader.read()).value!);
  watching.kill("SIGINT");
  await reader.cancel();
  await watching.stderr.cancel();
  assertEquals([first.ready.length, second.ready.length], [0, 1]);
  assertEquals((await watching.status).code, 130);
});

Deno.test("status --watch has the screen of the terminal to itself, and gives it back", async () => {
  using temp = await busy();
  const io = new FakeIo({ terminal: true, env: { NO_COLOR: "1" } });
  const { onInterrupt } = sys;
  let interrupt = (_: string) => {};
  sys.onInterrupt = (handler) => {
    interrupt = handler;
    return () => {};
  };
  const rows = Object.getOwnPropertyDescriptor(process.stdout, "rows");
  const frames = () => io.out.split(CLEAR).length - 1;
  const frame = async (count: number) => {
    while (frames() < count) await sys.wait(5);
    await sys.wait(5);
    return io.out.split(CLEAR)[count].trimEnd().split("\n");
  };
  try {
    setRows(24);
    const code = main(["--root", temp.root, "status", "--watch"], io);
    assert((await frame(1)).some((line) => line.startsWith("  Ready")), io.out);
    assert(io.out.startsWith(ENTER), io.out);
    setRows(12);
    process.kill(process.pid, "SIGWINCH");
    const small = await frame(2);
    assertEquals([small.length, small.at(-1)], [12 - 1, "  (more than fits here)"]);
    process.kill(process.pid, "SIGCONT"); // as `fg` does
    await frame(3);
    assertEquals(io.out.split(ENTER).length - 1, 2);
    interrupt("SIGINT");
    assertEquals([await code, io.out.endsWith(LEAVE), frames()], [130, true, 3]);
  } finally {
    sys.onInterrupt = onInterrupt;
    if (rows === undefined) Reflect.deleteProperty(process.stdout, "rows");
    else Object.defineProperty(process.stdout, "rows", rows);
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
  }
});

function setRows(value: number): void {
  Object.defineProperty(process.stdout, "rows", { value, configurable: true });
}
