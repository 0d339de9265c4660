/**
 * `initialize` is answered before the SDK is loaded, with what the SDK says: of a second `initialize`, which
 * it answers itself, it says the same.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { handshakeOf } from "../../lib/mcp/handshake.ts";
import { AGENTX, environment, TempWorkspace } from "../temp_workspace.ts";

const initialize = (id: unknown, protocolVersion: unknown, params: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
      ...params,
    },
  }) + "\n";

const LIST = JSON.stringify({ jsonrpc: "2.0", id: "list", method: "tools/list" }) + "\n";

// deno-lint-ignore no-explicit-any -- a test looks into it
type Message = any;

/** What a server answers to some lines, until the last one is answered. */
async function answersTo(
  root: string,
  lines: readonly string[],
  words: string = AGENTX,
): Promise<Message[]> {
  const [program, ...args] = [...words.split(" "), "mcp"];
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
  Deno.test(`agentx mcp answers initialize as its SDK does, once: ${version}`, async () => {
    using temp = new TempWorkspace();
    const lines = [initialize(1, version), initialize("again", version), LIST];
    const [early, own, list, ...rest] = await answersTo(temp.root, lines);
    assertEquals([early.id, own.id, list.id, rest], [1, "again", "list", []]);
    assertEquals(early.result, own.result);
    assertEquals(early.result.protocolVersion, version);
    assertEquals(list.result.tools.length, 10);
  });
}

Deno.test("agentx mcp answers initialize where no SDK can be loaded", async () => {
  using temp = new TempWorkspace();
  const without = AGENTX.replace(" run ", " run --no-npm ");
  const [early] = await answersTo(temp.root, [initialize(1, "2025-11-25")], without);
  assertEquals([early.id, early.result.serverInfo.name], [1, "agentx"]);
});

Deno.test("agentx mcp leaves a version that it does not know to its SDK", async () => {
  using temp = new TempWorkspace();
  const [answer] = await answersTo(temp.root, [initialize(1, "2199-01-01")]);
  assertEquals(answer.result.protocolVersion, "2025-11-25");
});

Deno.test("agentx mcp ends where standard input has ended before a message", async () => {
  using temp = new TempWorkspace();
  const { code, stdout } = await temp.spawn(["mcp"]).output();
  assertEquals([code, stdout.length], [0, 0]);
});

Deno.test("handshakeOf() answers a plain initialize on a line of its own alone", () => {
  const plain = initialize(1, "2025-11-25");
  assertEquals(handshakeOf(plain + LIST, "1.0.0")?.id, 1);
  for (
    const input of [
      plain.trim(),
      LIST,
      "nonsense\n",
      "[]\n",
      initialize(null, "2025-11-25"),
      initialize(1.5, "2025-11-25"),
      initialize(1, "2026-07-28"),
      initialize(1, "2025-11-25", { clientInfo: { name: "test" } }),
      initialize(1, "2025-11-25", { capabilities: null }),
    ]
  ) assertEquals(handshakeOf(input, "1.0.0"), undefined, input);
});
