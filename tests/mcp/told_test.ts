/**
 * What a tool has told the session that called it, its hooks do not tell it again; what no call waited for
 * any more, they tell.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "../hooks/hook_session.ts";
import { ERAS, McpClient, QUESTION, until } from "./mcp_client.ts";

/** Answers once there is a file `go`; writes `begun` first. */
const PATIENT =
  "echo 1 >begun; cat >/dev/null; while [ ! -e go ]; do sleep 0.05; done; echo PostgreSQL.";

/** The engineer on #42, whose host shows its session to the server, too. */
async function engineer(temp: TempWorkspace): Promise<HookSession> {
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  return session;
}

for (const era of ERAS) {
  Deno.test(`An answer that no call of clarify_ask waited for holds its session up: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT }, isTrusted: false });
    await temp.trust();
    const session = await engineer(temp);
    const args = ["--root", temp.root, "--wait", "300ms"];
    await using mcp = await McpClient.connect(temp, { era, args, env: session.env });
    assertEquals((await mcp.call("clarify_ask", QUESTION)).structured.status, "pending");
    temp.write("go", "1");
    await until(() => temp.ledger().clarifications[0].status === "answered");
    await mcp.call("clarify_list", {}); // by then the run in the server is over
    const { text } = await session.fire("Stop");
    assert(text.includes("PostgreSQL.") && !text.includes("repeated"), text);
  });

  Deno.test(`What clarify_list showed to the session that asked no hook tells it again: ${era}`, async () => {
    using temp = new TempWorkspace();
    const session = await engineer(temp);
    await session.run(ASK);
    await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
    const other = new HookSession(temp, { id: "99999999-2222-4333-8444-555566669c80" });
    await other.run(["here", "--as", "architect", "--issue", "42"]);
    await using its = await McpClient.connect(temp, { era, env: other.env });
    await its.call("clarify_list", { issue: "42" });
    assertEquals(other.deliveries, []); // it is not meant for that one

    await using mcp = await McpClient.connect(temp, { era, env: session.env });
    await mcp.call("clarify_list", {}); // a table has no answers
    assertEquals(session.deliveries, []);
    const { text } = await mcp.call("clarify_list", { issue: "42" });
    assert(text.includes("PostgreSQL.") && text.includes("answer CLR-42-001.2: delivered"), text);
    assertEquals(session.deliveries.map(({ id, shownAt }) => [id, shownAt]), [
      ["CLR-42-001.2", null],
    ]);
    assertEquals((await session.fire("PostToolUse")).answer, undefined);
    assertEquals((await session.fire("Stop")).answer, undefined);
    assertEquals(session.deliveries[0].proof, "later event");
    await mcp.call("clarify_list", { id: "CLR-42-001" });
    assertEquals(session.deliveries[0].offers.length, 1);
  });

  Deno.test(`What clarify_ask gave to its session no hook tells again, whoever answered: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: PATIENT }, isTrusted: false });
    await temp.trust();
    const session = await engineer(temp);
    const args = ["--root", temp.root, "--wait", "20s"];
    await using mcp = await McpClient.connect(temp, { era, args, env: session.env });
    const asked = mcp.call("clarify_ask", QUESTION);
    await until(() => temp.has("begun")); // the run never ends
    await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
    assertEquals((await asked).structured.answer, "PostgreSQL.");
    assertEquals((await session.fire("PostToolUse")).answer, undefined);
    assertEquals((await session.fire("Stop")).answer, undefined);
    assertEquals(session.deliveries.map(({ id }) => id), ["CLR-42-001.2"]);
  });
}
