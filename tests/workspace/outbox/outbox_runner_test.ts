import { assertEquals } from "@std/assert";
import { openWorkspace } from "../../../lib/workspace/open.ts";
import { OutboxRunner } from "../../../lib/workspace/outbox/outbox_runner.ts";
import { REQUEST, TempSandbox, until } from "../../commands/clarify/temp_sandbox.ts";
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

testWithGit("OutboxRunner.look() asks no second time after a runner that was killed", async () => {
  await using sandbox = new TempSandbox(
    "cat >/dev/null; test -e go && echo Both. || { echo $$ >pid; exec sleep 60; }",
  );
  const nonce = sandbox.plant({ ask: REQUEST });
  await sandbox.serve();
  const taken = `${sandbox.root}/.agentx/state/outbox.json`;
  await until(() => sandbox.has(taken) && Deno.readTextFileSync(taken).includes("CLR-42-001"));
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

async function runnerOf({ root }: TempSandbox): Promise<OutboxRunner> {
  return new OutboxRunner(await openWorkspace({ root }), new AbortController().signal);
}
