import { assertEquals } from "@std/assert";
import { AgentxError } from "../../../lib/base/errors.ts";
import { openParts } from "../../../lib/workspace/open.ts";
import { OutboxRunner } from "../../../lib/workspace/outbox/outbox_runner.ts";
import { REQUEST, TempSandbox, until } from "../../commands/ask/temp_sandbox.ts";
import { testWithGit } from "../temp_repository.ts";

testWithGit("OutboxRunner.look() asks once where two runners look", async () => {
  await using sandbox = new TempSandbox();
  const nonces = ["Which?", "And then?"].map((question) =>
    sandbox.plant({ ask: { ...REQUEST, question } })
  );
  const runners = [await runnerOf(sandbox), await runnerOf(sandbox)];
  for (const runner of runners) runner.look();
  await Promise.all(runners.map((runner) => runner.end()));
  for (const nonce of nonces) await sandbox.reply(nonce);
  assertEquals(sandbox.clarifications().length, 2);
});

testWithGit("OutboxRunner.look() asks a question that does not block once", async () => {
  await using sandbox = new TempSandbox();
  const request = { ask: { ...REQUEST, blocking: false } };
  const nonce = sandbox.plant(request);
  for (let look = 0; look < 2; look++) {
    const runner = await runnerOf(sandbox);
    runner.look();
    await runner.end();
    Deno.removeSync(`${sandbox.outbox}/${nonce}.reply.json`);
  }
  assertEquals(sandbox.clarifications().length, 1);
});

testWithGit(
  "OutboxRunner.look() takes nothing from a request but what a question has",
  async () => {
    await using sandbox = new TempSandbox();
    const more = { session: "somebody-else", maxRounds: 1, again: true, onAsked: "x" };
    const nonce = sandbox.plant({ ask: { ...REQUEST, ...more } });
    const workspace = await openParts({ root: sandbox.root });
    const taken: unknown[] = [];
    const { router } = workspace;
    router.requestClarification = (request) => {
      taken.push(Object.keys(request).sort());
      return Promise.reject(
        new AgentxError("NOT_FOUND", "Enough", { details: { kind: "x", id: "x" } }),
      );
    };
    const runner = new OutboxRunner(workspace, new AbortController().signal, undefined);
    runner.look();
    await runner.end();
    await sandbox.reply(nonce);
    const known = [...Object.keys(REQUEST), "again", "maxRounds", "workflow"];
    assertEquals(taken, [[...known, "callId", "onAsked", "signal"].sort()]);
  },
);

testWithGit("OutboxRunner.look() asks no second time after a runner that was killed", async () => {
  await using sandbox = new TempSandbox(
    "cat >/dev/null; test -e go && echo Both. || { echo $$ >pid; exec sleep 60; }",
  );
  const nonce = sandbox.plant({ ask: REQUEST });
  await sandbox.serve();
  await until(() => sandbox.clarifications().length > 0);
  const pid = `${sandbox.root}/pid`;
  await until(() => sandbox.has(pid) && Deno.readTextFileSync(pid).endsWith("\n"));
  await sandbox.stop("SIGKILL");
  Deno.kill(Number(Deno.readTextFileSync(pid)), "SIGKILL");
  Deno.writeTextFileSync(`${sandbox.root}/go`, "");
  await sandbox.serve();
  const { clarificationId, outcome } = await sandbox.reply(nonce);
  assertEquals([clarificationId, outcome.answer], ["CLR-42-001", "Both."]);
  assertEquals(sandbox.clarifications().length, 1);
});

testWithGit(
  "OutboxRunner.look() takes a request again that met a busy lock, and says so once",
  async () => {
    await using sandbox = new TempSandbox();
    const notes: string[] = [];
    const notify = (message: string) => void notes.push(message);
    const workspace = await openParts({ root: sandbox.root, notify });
    const { runs } = workspace;
    const hold = runs.hold.bind(runs);
    const busy = new AgentxError("LOCK_TIMEOUT", "The lock is busy", {
      details: { path: "x", waitedMs: 1, holder: null },
    });
    const failures = [busy, busy];
    runs.hold = (...call) => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : hold(...call);
    };
    const runner = new OutboxRunner(workspace, new AbortController().signal);
    const nonce = sandbox.plant({ ask: REQUEST });
    for (let look = 0; look < 3; look++) {
      runner.look();
      await runner.end();
    }
    assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-001");
    const path = `${sandbox.outbox}/${nonce}.request.json`;
    assertEquals(notes, [`"${path}" will be retried: The lock is busy`]);
  },
);

testWithGit(
  "OutboxRunner.look() takes what is asked of its role, and leaves the rest",
  async () => {
    await using sandbox = new TempSandbox();
    const { router } = await openParts({ root: sandbox.root });
    const { clarificationId } = await router.requestClarification(REQUEST);
    const question = { clarificationId, by: "engineer", question: "And pooling?" };
    const nonces = [
      { ask: REQUEST },
      { ask: { ...REQUEST, toAgent: "architect@2" } },
      { followUp: question },
    ].map((request) => sandbox.plant(request));
    const look = async (role?: string) => {
      const runner = await runnerOf(sandbox, role);
      runner.look();
      await runner.end();
      return nonces.map((nonce) => sandbox.has(`${sandbox.outbox}/${nonce}.reply.json`));
    };
    assertEquals(await look("tester"), [false, false, false]);
    assertEquals(sandbox.clarifications().length, 1);
    assertEquals(await look("architect"), [true, true, true]);
  },
);

async function runnerOf({ root }: TempSandbox, role?: string): Promise<OutboxRunner> {
  return new OutboxRunner(await openParts({ root }), new AbortController().signal, role);
}
