/**
 * How fast does the MCP server come up? Peer: the same SDK with one tool that does nothing, as its
 * documentation writes it. Both are asked for their tools by a client of 2025-11-25, as most are.
 *
 * @module
 */

import { freshFolder, ratio, target } from "./target.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const EMPTY = `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "empty", version: "1.0.0" });
  server.registerTool("empty", { description: "Nothing" }, () => ({ content: [] }));
  return server;
});
`;

const clientInfo = { name: "bench", version: "1.0.0" };

const MESSAGES = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

/** Starts a server, reads its tools, and ends it. */
async function listTools(args: string[], tools: number): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", `${ROOT}deno.json`, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = MESSAGES.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  await input.write(new TextEncoder().encode(lines.join("\n") + "\n"));
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.split("\n").length > 2) break;
  }
  await input.close();
  await child.status;
  const { result } = JSON.parse(text.split("\n")[1]);
  if (result.tools.length !== tools) throw new Error(`${result.tools.length} tools`);
}

target({
  name: "`agentx mcp` to its tools / the same SDK with one empty tool, wall time",
  limit: { atMost: 1.3 },
  async measure() {
    const empty = `${freshFolder("disk")}/empty.ts`;
    Deno.writeTextFileSync(empty, EMPTY);
    const ours = () => listTools([`${ROOT}cli.ts`, "mcp"], 10);
    return await ratio(ours, () => listTools([empty], 1), { times: 1, rounds: 21 });
  },
});
