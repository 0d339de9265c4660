import { assert, assertEquals } from "@std/assert";
import { serveQuestions } from "../../lib/commands/serve/serving.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { replace } from "../lock/faults.ts";
import { ASK, ended, TempWorkspace } from "../temp_workspace.ts";

const ARCHITECT = "cat >/dev/null; echo run >>runs; echo Both.";

/** A runner as a process of its own, which is stopped at the end of the block that is `using` it. */
class Served implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #temp: TempWorkspace;
  #read: Promise<void> | undefined;

  constructor(temp: TempWorkspace, ...flags: string[]) {
    this.#temp = temp;
    this.#child = temp.spawn(["serve", ...flags]);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Until others can see it. */
  async started(name = "serve"): Promise<void> {
    await until(() => this.#temp.has(`.agentx/state/runs/${name}.json`));
  }

  /** What it says on standard error, as it comes. */
  said(): { text: string; isOver: boolean } {
    const said = { text: "", isOver: false };
    const { stdout, stderr, status } = this.#child;
    this.#read = (async () => {
      await stdout.cancel();
      for await (const text of stderr.pipeThrough(new TextDecoderStream())) said.text += text;
      await status;
      said.isOver = true;
    })();
    return said;
  }

  async stop() {
    this.#child.kill("SIGINT");
    return await ended(this.#child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
      await (this.#read ?? this.#child.output());
    } catch {
      // It was stopped.
    }
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function statuses(temp: TempWorkspace): string[] {
  return temp.ledger().clarifications.map(({ status }) => status);
}

Deno.test("serve answers what was asked without waiting, and what nobody is on", async () => {
  using temp = new TempWorkspace({ agents: { architect: ARCHITECT } });
  await temp.run([...ASK, "--non-blocking"]);
  await using runner = new Served(temp);
  await until(() => statuses(temp)[0] === "answered");
  await temp.run([...ASK.with(9, "Pooling"), "--non-blocking"]);
  await until(() => statuses(temp)[1] === "answered");
  const { code, out } = await runner.stop();
  assertEquals([code, out.match(/is answered/g)?.length], [130, 2]);
  assertEquals(temp.has(".agentx/state/runs/serve.json"), false);
});

Deno.test("clarify ask leaves its question to a runner, and returns the answer", async () => {
  using temp = new TempWorkspace({
    agents: { architect: 'cat >/dev/null; echo "run by ${BY-nobody}"' },
  });
  await using runner = new Served(temp);
  await runner.started();
  const { code, out } = await temp.run(ASK);
  assertEquals([code, out.includes("A: run by nobody")], [0, true]);
  assertEquals((await runner.stop()).out.includes("CLR-42-001 is answered"), true);
});

Deno.test("serve --as runs the questions to one agent only", async () => {
  using temp = new TempWorkspace({
    agents: { architect: ARCHITECT, "product-manager": ARCHITECT },
  });
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run([...ASK.with(7, "product-manager"), "--non-blocking"]);
  await using runner = new Served(temp, "--as", "pm");
  await until(() => statuses(temp)[1] === "answered");
  await runner.stop();
  assertEquals(statuses(temp), ["pending", "answered"]);
});

for (const flags of [[], ["--as", "architect"]]) {
  Deno.test(`${["serve", ...flags].join(" ")} refuses to be a second one`, async () => {
    using temp = new TempWorkspace({ agents: { architect: ARCHITECT } });
    await using runner = new Served(temp, ...flags);
    await runner.started(["serve", ...flags.slice(1)].join("-"));
    const { code, err } = await ended(temp.spawn(["serve", ...flags]));
    assertEquals([code, err.includes("One runner is enough")], [5, true]);
    assert(err.includes(`process ${runner.pid} does so`), err);
  });
}

Deno.test("serve runs nothing that nobody agreed to", async () => {
  using temp = new TempWorkspace({ agents: { architect: ARCHITECT }, isTrusted: false });
  await temp.run([...ASK, "--non-blocking"]);
  const { code, err } = await temp.run(["serve"]);
  assertEquals([code, temp.has("runs")], [6, false]);
  assert(err.includes("agentx trust"), err);
});

Deno.test("serve runs a stale question once more, and what failed no third time", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo run >>runs; exit 3" },
  });
  await temp.run([...ASK, "--non-blocking"]);
  const ledger = temp.ledger();
  ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  await using runner = new Served(temp);
  await until(() => statuses(temp)[0] === "escalated");
  await runner.stop();
  assertEquals(temp.read("runs"), "run\n");
});

Deno.test("serve goes on where the monitor does not get through", async () => {
  using temp = new TempWorkspace({ agents: { architect: ARCHITECT } });
  await using runner = new Served(temp);
  await runner.started();
  const unanswered = ["--issue", "41", "--from", "engineer", "--to", "product-manager"];
  await temp.run(["clarify", "ask", ...unanswered, "--topic", "Scope", "Both?", "--non-blocking"]);
  temp.write(".agentx/state/agent-status.json", "{"); // what the monitor stops at
  const said = runner.said();
  await until(() => said.text.includes("The monitor did not finish") || said.isOver);
  temp.write(".agentx/state/agent-status.json", "{}");
  await temp.run([...ASK, "--non-blocking"]);
  await until(() => statuses(temp)[0] === "answered" || said.isOver);
  assertEquals([statuses(temp), said.isOver], [["answered"], false], said.text);
});

Deno.test("clarify wait says nothing while a runner is at work, and that it has gone", async () => {
  using temp = new TempWorkspace({ agents: { architect: "exec sleep 60" } });
  await using runner = new Served(temp);
  await runner.started();
  await temp.run([...ASK, "--non-blocking"]);
  const { err } = await temp.run(["clarify", "wait", "CLR-42-001", "--timeout", "50ms"]);
  assertEquals(err.includes("no process is running it"), false);
  await runner.stop();
  const after = await temp.run(["clarify", "wait", "CLR-42-001", "--timeout", "50ms"]);
  assertEquals(after.err.includes("no process is running it"), true);
  assertEquals(statuses(temp), ["pending"]);
});

Deno.test("serve says once what keeps its monitor from finishing, and again once that was mended", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const [path, notes, stop] = [
    ".agentx/state/agent-status.json",
    [] as string[],
    new AbortController(),
  ];
  const status = temp.read(path);
  const damaged = '{ "version": ';
  temp.write(path, damaged);
  const at: Record<number, () => void> = {
    100: () => temp.write(path, status),
    140: () => temp.write(path, damaged),
    200: () => stop.abort(),
  };
  let looks = 0;
  using _ = replace("wait", () => () => Promise.resolve(at[++looks]?.()));
  const notify = (message: string) => void notes.push(message);
  const workspace = await openWorkspaceParts({ root: temp.root, notify });
  await serveQuestions(workspace, { signal: stop.signal, report: () => {} });
  const said = notes.filter((note) => note.startsWith("The monitor did not finish"));
  assertEquals(said.length, 2, notes.join("\n"));
});
