/**
 * The first message of a client: every version that is in use is answered in its own.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { AGENTX, environment, TempWorkspace } from "../temp_workspace.ts";

const initialize = (id: unknown, protocolVersion: unknown) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }) + "\n";

const LIST = JSON.stringify({ jsonrpc: "2.0", id: "list", method: "tools/list" }) + "\n";

// deno-lint-ignore no-explicit-any -- a test looks into it
type Message = any;

/** What a server answers to some lines, until the last one is answered. */
async function answersTo(root: string, lines: readonly string[]): Promise<Message[]> {
  const [program, ...args] = [...AGENTX.split(" "), "mcp"];
  const child = new Deno.Command(program, {
    args,
    cwd: root,
    clearEnv: true,
    env: environment(),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  for (const line of lines) await writer.write(new TextEncoder().encode(line));
  const { id: last } = JSON.parse(lines.at(-1)!);
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.endsWith("\n") && JSON.parse(text.trim().split("\n").at(-1)!).id === last) break;
  }
  await writer.close();
  await child.status;
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
  Deno.test(`agentx mcp answers initialize in its version: ${version}`, async () => {
    using temp = new TempWorkspace();
    const [first, list] = await answersTo(temp.root, [initialize(1, version), LIST]);
    assertEquals([first.id, first.result.protocolVersion, list.id], [1, version, "list"]);
    assertEquals(list.result.tools.length, 10);
  });
}

Deno.test("agentx mcp answers a version that it does not know with its newest", async () => {
  using temp = new TempWorkspace();
  const [answer] = await answersTo(temp.root, [initialize(1, "2199-01-01")]);
  assertEquals(answer.result.protocolVersion, "2025-11-25");
});

Deno.test("agentx mcp ends where standard input has ended before a message", async () => {
  using temp = new TempWorkspace();
  const { code, stdout } = await temp.spawn(["mcp"]).output();
  assertEquals([code, stdout.length], [0, 0]);
});
