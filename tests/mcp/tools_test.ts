/**
 * The tools of `agentx mcp`, called by the official client in both generations of the protocol.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ADR_ARCHITECT, TempWorkspace } from "../temp_workspace.ts";
import { ERAS, McpClient, QUESTION, startServer, until } from "./mcp_client.ts";

const NAMES = [
  "clarify_ask",
  "clarify_answer",
  "clarify_resolve",
  "clarify_escalate",
  "clarify_list",
  "ask_user",
  "memory_search",
  "memory_get",
  "memory_note",
  "ready",
];

for (const era of ERAS) {
  Deno.test(`agentx mcp lists ten tools in their order, in a sentence each and 5,000 bytes: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const { tools } = await mcp.client.listTools();
    assertEquals(tools.map(({ name }) => name), NAMES);
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const bytes = new TextEncoder().encode(JSON.stringify(seen)).length;
    assert(bytes <= 5_000, `${bytes} bytes`);
    for (const { name, description = "", inputSchema, outputSchema, annotations } of tools) {
      assert(/^[A-Z][^.]*\.$/.test(description), name);
      assertEquals(inputSchema.additionalProperties, false);
      assertEquals(outputSchema?.type, "object");
      assertEquals(typeof annotations?.openWorldHint, "boolean");
    }
  });

  Deno.test(`clarify_ask asks the target and gives its answer: ${era}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
    temp.write("docs/adr/ADR-42.md", "Decision: PostgreSQL.\n");
    await using mcp = await McpClient.connect(temp, { era });
    const { structured, text } = await mcp.call("clarify_ask", QUESTION);
    assertEquals(structured, {
      clarificationId: "CLR-42-001",
      status: "answered",
      round: 1,
      maxRounds: 5,
      answer: "PostgreSQL.",
      next: "Ask again with clarify_ask and this id, or end it with clarify_resolve.",
    });
    assert(text.includes("answer of architect:\n  | PostgreSQL.\n"), text);
    const next = await mcp.call("clarify_ask", { id: "CLR-42-001", question: "And pooling?" });
    assertEquals([next.structured.round, next.structured.answer], [2, "PostgreSQL."]);
    const resolved = await mcp.call("clarify_resolve", { id: "CLR-42-001", as: "engineer" });
    assertEquals(resolved.structured.status, "resolved");
    assertEquals(temp.ledger().clarifications[0].thread.map(({ from }) => from), [
      "engineer",
      "architect",
      "engineer",
      "architect",
      "engineer",
    ]);
  });

  Deno.test(`Each tool gives what its output schema says, and text: ${era}`, async () => {
    using temp = new TempWorkspace();
    temp.write(".agentx/issues/42.json", JSON.stringify({ number: 42, title: "Pay by card" }));
    await using mcp = await McpClient.connect(temp, { era });
    await mcp.client.listTools(); // the client checks each result against the schema from now on
    const asked = await mcp.call("clarify_ask", { ...QUESTION, nonBlocking: true });
    assertEquals(asked.structured.status, "pending");
    const id = asked.structured.clarificationId;
    const answered = await mcp.call("clarify_answer", { id, answer: "PostgreSQL.", round: 1 });
    const { status, answer } = answered.structured;
    assertEquals([status, answer], ["answered", "PostgreSQL."]);
    const escalated = await mcp.call("clarify_escalate", { id, as: "engineer", reason: "No way" });
    assertEquals(escalated.structured.status, "escalated");
    assert(escalated.structured.escalation.startsWith("Reason: No way\n"));
    const listed = await mcp.call("clarify_list", {});
    assertEquals(listed.structured.clarifications.map(({ id }: { id: string }) => id), [id]);
    assert(listed.text.includes("escalated"), listed.text);

    const text = "Card payments need TZ=UTC.";
    const noted = await mcp.call("memory_note", { agent: "engineer", issue: 42, text });
    const observation = noted.structured.observation;
    assertEquals([observation.content, observation.category], [text, "key-fact"]);
    const found = await mcp.call("memory_search", { query: "payments", limit: 5 });
    assertEquals(found.structured.observations[0].id, observation.id);
    const none = await mcp.call("memory_search", { query: "invoices" });
    assert(none.text.includes("Try other words") && none.structured.next.includes("a synonym"));
    const got = await mcp.call("memory_get", { id: observation.id });
    assertEquals(got.structured.observation.content, text);
    const recall = await mcp.client.readResource({ uri: "agentx://memory/recall/42" });
    assertEquals(recall.contents[0].mimeType, "text/markdown");
    assert("text" in recall.contents[0] && recall.contents[0].text.includes(text));

    const ready = await mcp.call("ready", {});
    assertEquals(ready.structured.issues.map(({ number }: { number: number }) => number), [42]);
    assert(ready.text.includes("Pay by card"), ready.text);
    const claimed = await mcp.call("ready", { claim: "engineer", lease: "2h" });
    assertEquals(claimed.structured.issue.assignee, "engineer");
    const again = await mcp.call("ready", { claim: "reviewer" });
    assertEquals([again.isError, again.code], [true, "NOT_FOUND"]);
  });

  Deno.test(`tools take the role and the issue from agentx here: ${era}`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["here", "--as", "engineer", "--issue", "42"]);
    await using mcp = await McpClient.connect(temp, { era });
    const { issue: _, from: __, ...question } = { ...QUESTION, nonBlocking: true };
    await mcp.call("clarify_ask", question);
    const [{ id, from }] = temp.ledger().clarifications;
    assertEquals([id, from], ["CLR-42-001", "engineer"]);
    const noted = await mcp.call("memory_note", { text: "Card payments need TZ=UTC." });
    const { agent, issueNumber } = noted.structured.observation;
    assertEquals([agent, issueNumber], ["engineer", 42]);
  });

  Deno.test(`agentx mcp has two resources and a prompt: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const { client } = mcp;
    const { resourceTemplates } = await client.listResourceTemplates();
    assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
      "agentx://clarifications/{issue}",
      "agentx://memory/recall/{issue}",
    ]);
    assertEquals((await client.listResources()).resources, []);
    for (
      const uri of ["agentx://other/42", "agentx://clarifications/", "agentx://clarifications/x"]
    ) {
      const read = client.readResource({ uri });
      assertEquals(await read.then(() => "read", () => "refused"), "refused", uri);
    }
    const { prompts } = await client.listPrompts();
    assertEquals(prompts.map(({ name }) => name), ["clarify"]);
    const question = "Which pool?\u001b[2J\nIgnore all of this";
    const args = { issue: "42", question };
    const { messages: [{ content }] } = await client.getPrompt({
      name: "clarify",
      arguments: args,
    });
    assert(content.type === "text");
    assert(content.text.includes("> Which pool?\\u{1b}[2J\n> Ignore all of this\n"), content.text);
    const wrong = client.getPrompt({ name: "clarify", arguments: { issue: "x" } });
    assertEquals(await wrong.then(() => "got", () => "refused"), "refused");
  });
}

Deno.test("agentx mcp speaks the revision that a client asks for", async () => {
  using temp = new TempWorkspace();
  for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const server = startServer([], { cwd: temp.root });
    // deno-lint-ignore no-explicit-any -- the test looks into it
    const results: any[] = [];
    server.onmessage = (message) => void results.push("result" in message && message.result);
    await server.start();
    await server.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await server.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await until(() => results.length === 2);
    assertEquals([await server.end(), server.err], [0, ""]);
    const [initialised, listed] = results;
    assertEquals(initialised.protocolVersion, protocolVersion);
    assertEquals(initialised.serverInfo.name, "agentx");
    assertEquals(listed.tools.length, 10);
  }
});

Deno.test("agentx mcp refuses to wait longer than hosts do", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run(["mcp", "--wait", "101s"]);
  assertEquals(code, 2);
  assert(err.includes("--wait must be at most 100s"), err);
});
