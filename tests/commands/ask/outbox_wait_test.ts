/**
 * What a session in a sandbox hears while it waits for the reply to its request.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { openParts } from "../../../lib/workspace/open.ts";
import { ASK } from "../../temp_workspace.ts";
import { testWithGit } from "../../workspace/temp_repository.ts";
import { REQUEST, TempSandbox, until } from "./temp_sandbox.ts";

testWithGit(
  "clarify ask from a sandbox says once that a runner does not take it, and waits for one that does",
  async () => {
    await using sandbox = new TempSandbox();
    const { runs } = await openParts({ root: sandbox.root });
    const says = () => asked.io.err.split("nobody has taken it").length - 1;
    let asked: ReturnType<TempSandbox["start"]>;
    await runs.serve(undefined, async () => {
      asked = sandbox.start(ASK);
      await until(() => says() > 0);
    });
    await sandbox.serve();
    const { code, out, err } = await asked!.ended;
    assertEquals([code, out.includes("Both."), says()], [0, true, 1], err);
  },
);

testWithGit(
  "clarify ask from a sandbox sees the runner of the role that a follow-up asks",
  async () => {
    await using sandbox = new TempSandbox();
    const { router, runs } = await openParts({ root: sandbox.root });
    const { clarificationId } = await router.requestClarification(REQUEST);
    let asked: ReturnType<TempSandbox["start"]>;
    await runs.serve("architect", async () => {
      asked = sandbox.start([
        "clarify",
        "ask",
        clarificationId,
        "And pooling?",
        "--as",
        "engineer",
      ]);
      await until(() => asked.io.err.includes("To get the answer, ask the same again"));
    });
    await sandbox.serve();
    const { code, err } = await asked!.ended;
    assertEquals([code, err.includes("nobody takes it yet")], [0, false], err);
  },
);

testWithGit(
  "clarify ask from a sandbox says once that its runner is gone, and waits for the next one",
  async () => {
    await using sandbox = new TempSandbox();
    const asked = sandbox.start(ASK);
    await until(() => sandbox.requests.length === 1);
    const reply = { clarificationId: "CLR-42-001", outcome: null, error: null }; // and was killed
    const path = `${sandbox.outbox}/${sandbox.requests[0]}.reply.json`;
    Deno.writeTextFileSync(path, JSON.stringify(reply));
    const says = () =>
      asked.io.err.split("CLR-42-001: no process is running it; start agentx").length - 1;
    await until(() => says() > 0);
    await sandbox.serve();
    const { code, out, err } = await asked.ended;
    assertEquals([code, out.includes("Both."), says()], [0, true, 1], err);
  },
);

testWithGit(
  "clarify ask from a sandbox reads the answer in the ledger where another process took the reply",
  async () => {
    await using sandbox = new TempSandbox();
    const { router } = await openParts({ root: sandbox.root });
    const { clarificationId } = await router.requestClarification(REQUEST);
    const asked = sandbox.start(ASK);
    await until(() => sandbox.requests.length === 1);
    const path = `${sandbox.outbox}/${sandbox.requests[0]}`;
    const reply = { clarificationId, outcome: null, error: null };
    Deno.writeTextFileSync(`${path}.reply.json`, JSON.stringify(reply));
    await until(() => asked.io.err.includes("CLR-42-001 is asked for this session"));
    Deno.removeSync(`${path}.request.json`);
    Deno.removeSync(`${path}.reply.json`);
    const { code, out, err } = await asked.ended;
    assertEquals([code, out.includes("Both.")], [0, true], err);
  },
);
