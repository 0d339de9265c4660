/**
 * Which workspace a call means, and what a server says that has none.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempFolder } from "../lock/temp_folder.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { ERAS, McpClient, type McpClientOptions, QUESTION } from "./mcp_client.ts";

for (const era of ERAS) {
  Deno.test(`Without a workspace the server starts, and says how to make one: ${era}`, async () => {
    using temp = new TempWorkspace();
    using empty = new TempFolder();
    await using mcp = await McpClient.connect(temp, { era, args: [], cwd: empty.path });
    assertEquals((await mcp.client.listTools()).tools.length, 10);
    const { isError, code, text } = await mcp.call("clarify_list", {});
    assertEquals([isError, code], [true, "NOT_INITIALISED"]);
    assert(text.includes(empty.path) && text.includes("agentx init"), text);
    assertEquals(Array.from(Deno.readDirSync(empty.path)), []);
    const named = await mcp.call("clarify_list", { workspace: temp.root });
    assertEquals([named.isError, named.code], [true, "INVALID_INPUT"]);
    await initialise(empty.path);
    assertEquals((await mcp.call("clarify_list", {})).isError, false);
  });

  const ways: [way: string, options: (root: string) => Partial<McpClientOptions>][] = [
    ["--root", (root) => ({ args: ["--root", root] })],
    ["the roots of the client", (root) => ({ roots: ["/nowhere", `${root}/docs`] })],
    ["CLAUDE_PROJECT_DIR", (root) => ({ env: { CLAUDE_PROJECT_DIR: root } })],
    ["the current folder", (root) => ({ cwd: `${root}/docs` })],
  ];
  for (const [way, options] of ways) {
    Deno.test(`The workspace comes from ${way}: ${era}`, async () => {
      using temp = new TempWorkspace();
      using empty = new TempFolder();
      temp.write("docs/README.md", "A folder in it");
      const given = { era, args: [], cwd: empty.path, ...options(temp.root) };
      await using mcp = await McpClient.connect(temp, given);
      const { structured } = await mcp.call("clarify_ask", { ...QUESTION, nonBlocking: true });
      assertEquals(structured.clarificationId, "CLR-42-001");
      assertEquals(temp.ledger().clarifications.length, 1);
      const { contents } = await mcp.client.readResource({ uri: "agentx://clarifications/42" });
      assert("text" in contents[0] && contents[0].text.includes("Database layer"));
    });
  }

  Deno.test(`A call names a workspace below what is open, and no other: ${era}`, async () => {
    using temp = new TempWorkspace();
    using other = new TempWorkspace();
    using empty = new TempFolder();
    temp.write("packages/a/.agentx/config.json", "{}");
    temp.write(".git/HEAD", "ref: refs/heads/main\n");
    const ask = (workspace: string) => ({ ...QUESTION, nonBlocking: true, workspace });
    const ways = [{ roots: [temp.root], cwd: empty.path }, { cwd: `${temp.root}/packages` }];
    for (const way of ways) {
      await using mcp = await McpClient.connect(temp, { era, args: [], ...way });
      for (const root of [temp.root, `${temp.root}/packages/a`]) {
        assertEquals((await mcp.call("clarify_list", { workspace: root })).isError, false);
      }
      assertEquals((await mcp.call("clarify_ask", ask(other.root))).code, "INVALID_INPUT");
    }
    assertEquals(other.has(other.ledgerPath(42)), false);
  });

  Deno.test(`A server with --root serves no other workspace: ${era}`, async () => {
    using temp = new TempWorkspace();
    using other = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const { code } = await mcp.call("clarify_list", { workspace: other.root });
    assertEquals(code, "INVALID_INPUT");
    assertEquals((await mcp.call("clarify_list", { workspace: temp.root })).isError, false);
  });

  Deno.test(`What the repository would run needs consent through a tool, too: ${era}`, async () => {
    using temp = new TempWorkspace({
      agents: { architect: "touch ran; echo Yes." },
      isTrusted: false,
    });
    await using mcp = await McpClient.connect(temp, {
      era,
      args: ["--root", temp.root, "--wait", "60s"],
    });
    const { structured, text } = await mcp.call("clarify_ask", QUESTION);
    assertEquals(structured.status, "pending");
    assert(text.includes("agentx trust"), text);
    assert(structured.next.includes("agentx trust"), "a model is told, too");
    assert(!temp.has("ran"));
  });
}

async function initialise(folder: string): Promise<void> {
  const { initWorkspace } = await import("../../lib/workspace/init.ts");
  await initWorkspace(folder);
}
