/**
 * What becomes of a question whose answer takes its time: it stays pending and its target goes on, it
 * is cancelled with its target, or the server ends.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { awaitedEngineer } from "../clarify/samples.ts";
import { killAgent, TempWorkspace } from "../temp_workspace.ts";
import { ERAS, isRunning, McpClient, QUESTION, until } from "./mcp_client.ts";

/** Says its process id, and answers once there is a file `go`. */
const PATIENT =
  `cat >/dev/null; echo $$ >started; while [ ! -e go ]; do sleep 0.05; done; echo PG.`;

/** Its process id, once it runs. */
async function started(temp: TempWorkspace): Promise<number> {
  await until(() => temp.has("started"));
  return Number(temp.read("started"));
}

const WAIT = ["--wait", "500ms"];

for (const era of ERAS) {
  Deno.test(`clarify_ask returns pending with the id, and its target goes on: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, {
      era,
      args: ["--root", temp.root, ...WAIT],
    });
    const pending = await mcp.call("clarify_ask", QUESTION);
    const { next, ...structured } = pending.structured;
    assertEquals([pending.isError, structured], [false, {
      clarificationId: "CLR-42-001",
      status: "pending",
      round: 1,
      maxRounds: 5,
      answer: null,
    }]);
    assert(/^No answer after 0.5 s: process \d+ of engineer is running it/.test(next), next);
    assert(pending.text.endsWith(next), pending.text);
    assert(isRunning(await started(temp)));

    const again = await mcp.call("clarify_ask", { id: "CLR-42-001" });
    assertEquals(again.structured.status, "pending");
    temp.write("go", "1");
    await until(() => temp.ledger().clarifications[0].status === "answered");
    const answered = (await mcp.call("clarify_ask", { id: "CLR-42-001" })).structured;
    assertEquals([answered.status, answered.answer], ["answered", "PG."]);
    assertEquals(temp.ledger().clarifications[0].thread.length, 2);
  });

  Deno.test(`clarify_ask gives an id also where its time is over before the question is written: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, {
      era,
      args: ["--root", temp.root, ...WAIT],
    });
    Deno.mkdirSync(`${temp.root}/.agentx/state/clarifications`, { recursive: true, mode: 0o700 });
    const path = `${temp.root}/${temp.ledgerPath(42)}`;
    const asked = await new FileLockManager().withSafeLock(path, "test", async () => {
      const { size } = Deno.statSync(`${path}.lock`);
      const asked = mcp.call("clarify_ask", QUESTION);
      await until(() => Deno.statSync(`${path}.lock`).size > size); // it waits, and says so
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // twice its time
      return { asked };
    });
    const { structured } = await asked.asked;
    assertEquals([structured.clarificationId, structured.status], ["CLR-42-001", "pending"]);
    temp.write("go", "1");
    await until(() => temp.ledger().clarifications[0].status === "answered");
    const answered = (await mcp.call("clarify_ask", { id: "CLR-42-001" })).structured;
    assertEquals(answered.answer, "PG.");
  });

  Deno.test(`clarify_ask gives the circle instead of a wait where it closes a deadlock: ${era}`, async () => {
    using temp = new TempWorkspace();
    temp.write(temp.ledgerPath(42), awaitedEngineer());
    await using mcp = await McpClient.connect(temp, { era });
    const { isError, structured } = await mcp.call("clarify_ask", QUESTION);
    assertEquals([isError, structured.status, structured.answer], [false, "escalated", null]);
    const { cycle, escalated, continued, reason } = structured.deadlock;
    assertEquals(cycle, ["CLR-42-001", "CLR-42-002"]);
    assertEquals([continued, escalated], [["CLR-42-001"], ["CLR-42-002"]]);
    assert(structured.escalation.startsWith(`Reason: ${reason}\n`), structured.escalation);
  });

  Deno.test(`clarify_ask asks the same question once, however often it is called: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    const calls = [mcp.call("clarify_ask", QUESTION), mcp.call("clarify_ask", QUESTION)];
    await started(temp);
    calls.push(mcp.call("clarify_ask", { id: "CLR-42-001", question: QUESTION.question }));
    temp.write("go", "1");
    for (const { structured } of await Promise.all(calls)) {
      assertEquals([structured.clarificationId, structured.answer], ["CLR-42-001", "PG."]);
    }
    assertEquals(temp.ledger().clarifications.length, 1);
  });

  Deno.test(`clarify_ask takes the answer that another session gives: ${era}`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["hook", "start", "architect", "42"]);
    await using engineer = await McpClient.connect(temp, { era });
    await using architect = await McpClient.connect(temp, { era });
    const asked = engineer.call("clarify_ask", QUESTION);
    await until(() => temp.has(temp.ledgerPath(42)));
    const answer = { id: "CLR-42-001", answer: "PostgreSQL.", as: "architect" };
    assertEquals((await architect.call("clarify_answer", answer)).structured.status, "answered");
    assertEquals((await asked).structured.answer, "PostgreSQL.");
  });

  Deno.test(`clarify_ask without waiting runs the target all the same: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    const { structured } = await mcp.call("clarify_ask", { ...QUESTION, nonBlocking: true });
    assertEquals([structured.status, structured.answer], ["pending", null]);
    await started(temp);
    temp.write("go", "1");
    await until(() => temp.ledger().clarifications[0].status === "answered");
  });

  Deno.test(`clarify_ask tells of its progress: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    const told: unknown[] = [];
    const asked = mcp.call("clarify_ask", QUESTION, { onprogress: (each) => told.push(each) });
    await until(() => told.length >= 2);
    temp.write("go", "1");
    await asked;
    assertEquals(told.slice(0, 2), [
      { progress: 2, total: 60, message: "asking architect" },
      { progress: 4, total: 60, message: "asking architect" },
    ]);
  });

  Deno.test(`A cancelled clarify_ask ends its wait and its target: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    const controller = new AbortController();
    const asked = mcp.call("clarify_ask", QUESTION, { signal: controller.signal })
      .then(() => "answered", () => "cancelled");
    const pid = await started(temp);
    controller.abort("enough");
    assertEquals(await asked, "cancelled");
    await until(() => !isRunning(pid));
    await until(async () => {
      const { text } = await mcp.call("clarify_list", {});
      return text.includes("CLR-42-001: no process is running it");
    });
  });

  Deno.test(`The end of the server leaves a question that nobody is on, and another runs it: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    {
      await using mcp = await McpClient.connect(temp, { era });
      const asked = mcp.call("clarify_ask", QUESTION).catch(() => "ended");
      const pid = await started(temp);
      assertEquals(await mcp.transport.end(), 0);
      assert(!isRunning(pid));
      mcp.transport.onclose?.();
      assertEquals(await asked, "ended");
    }
    const { out } = await temp.run(["clarify"]);
    assert(out.includes("CLR-42-001: no process is running it"), out);
    temp.write("go", "1");
    await using mcp = await McpClient.connect(temp, { era });
    const { structured } = await mcp.call("clarify_ask", { id: "CLR-42-001" });
    assertEquals([structured.status, structured.answer], ["answered", "PG."]);
  });

  Deno.test(`A signal ends the server and its targets, and their questions stay open: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    mcp.call("clarify_ask", QUESTION).catch(() => {});
    const pid = await started(temp);
    mcp.transport.child.kill("SIGTERM");
    assertEquals((await mcp.transport.child.status).code, 130); // its input stays open: its end would end it, too
    await mcp.transport.end();
    assert(!isRunning(pid));
    assertEquals(temp.ledger().clarifications[0].status, "pending");
  });

  Deno.test(`A kill of the server leaves a question that nobody is on: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT } });
    await using mcp = await McpClient.connect(temp, { era });
    mcp.call("clarify_ask", QUESTION).catch(() => {});
    await started(temp);
    mcp.transport.child.kill("SIGKILL");
    await mcp.transport.end();
    await killAgent(temp);
    const { out } = await temp.run(["clarify"]);
    assert(out.includes("CLR-42-001: no process is running it"), out);
  });

  Deno.test(`A target that exits without reading its prompt does not end the server: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: "exec <&-; echo Unread." } });
    const body = "x".repeat(20_000);
    temp.write(".agentx/issues/42.json", JSON.stringify({ number: 42, title: "T", body }));
    await using mcp = await McpClient.connect(temp, { era });
    for (const question of ["One?", "Two?", "Three?"]) {
      const { structured } = await mcp.call("clarify_ask", { ...QUESTION, question });
      assertEquals([structured.status, structured.answer], ["answered", "Unread."]);
    }
  });

  Deno.test(`A target that fails is escalated: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: "echo broken >&2; exit 3" } });
    await using mcp = await McpClient.connect(temp, { era });
    const { structured, text } = await mcp.call("clarify_ask", QUESTION);
    assertEquals([structured.status, structured.answer], ["escalated", null]);
    for (const told of [text, structured.escalation]) {
      assert(told.includes("exit code 3: broken"), told);
    }
  });
}

Deno.test("clarify_ask without a topic takes it from the question", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  await using mcp = await McpClient.connect(temp, { era: "2025-11-25" });
  const { topic: _, ...question } = QUESTION;
  const { isError } = await mcp.call("clarify_ask", question);
  assertEquals([isError ?? false, temp.ledger().clarifications[0].topic], [
    false,
    "PostgreSQL or SQLite?",
  ]);
});
