/**
 * Sub-agents of a session: their events are not the session's, and a turn that waits for one has not stopped.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";

const ANSWER = ["clarify", "answer", "CLR-42-001", "PostgreSQL."];

const RUNNING = { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] };
const OVER = { background_tasks: [{ id: "a1", type: "subagent", status: "completed" }] };

for (const host of ["claude", "qwen"] as const) {
  Deno.test(`${host}: an answer waits at a stop while a sub-agent runs, and comes once with its result`, async () => {
    using temp = new TempWorkspace();
    const session = new HookSession(temp, { host });
    await session.run(["here", "--as", "engineer", "--issue", "42"]);
    await session.run(ASK);
    await temp.run(ANSWER);
    assertEquals((await session.fire("Stop", RUNNING)).answer, undefined);
    const result = { prompt: "<task-notification>\n<status>completed</status>" };
    const told = await session.fire("UserPromptSubmit", result);
    assertEquals(told.text.includes("PostgreSQL."), true, told.text);
    assertEquals((await session.fire("Stop", OVER)).answer, undefined);
    assertEquals(session.deliveries.map(({ offers }) => offers.length), [1]);
  });

  Deno.test(`${host}: the last stop gives what was answered after the result of a sub-agent`, async () => {
    using temp = new TempWorkspace();
    const session = new HookSession(temp, { host });
    await session.run(["here", "--as", "engineer", "--issue", "42"]);
    await session.run(ASK);
    await temp.run(ANSWER);
    assertEquals((await session.fire("Stop", OVER)).answer.decision, "block");
  });
}

Deno.test("copilot: a sub-agent stops under an id of its own, and is given nothing", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { host: "copilot" });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await temp.run(["here", "--as", "engineer", "--issue", "42"]); // whoever works in this folder
  await session.run(ASK);
  await temp.run(ANSWER);
  const sub = { agentId: "e044d093", parentAgentId: session.id, sessionId: "e044d093" };
  assertEquals((await session.fire("agentStop", sub)).answer, undefined);
  await session.fire("sessionEnd", sub);
  const { answer } = await session.fire("agentStop");
  assertEquals([answer.decision, answer.reason.includes("PostgreSQL.")], ["block", true]);
});
