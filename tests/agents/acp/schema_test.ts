/**
 * What agentx sends over the Agent Client Protocol, against the schema of its own library.
 *
 * @module
 */

import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { runTurn } from "../../../lib/agents/acp/turn.ts";

const FAKE = new URL("fake_agent.ts", import.meta.url).pathname;

const TYPES: Record<string, string> = {
  initialize: "InitializeRequest",
  "session/new": "NewSessionRequest",
  "session/load": "LoadSessionRequest",
  "session/set_mode": "SetSessionModeRequest",
  "session/prompt": "PromptRequest",
};

Deno.test("runTurn() sends what the schema of the protocol describes", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...schema, $id: "acp" });
  const record = Deno.makeTempFileSync();
  const steps = [{ ask: { toolCallId: "a", kind: "edit", locations: [{ path: "/a" }] } }, {
    say: "Yes.",
  }];
  const script = { record, modes: ["default"], canLoad: true, steps };
  const mcpServers = [{
    name: "agentx",
    command: "agentx",
    args: ["mcp"],
    env: [{ name: "A", value: "b" }],
  }];
  for (const session of [undefined, "s-0"]) {
    await runTurn({
      command: [
        Deno.execPath(),
        "run",
        "-A",
        "--no-check",
        "--quiet",
        FAKE,
        JSON.stringify(script),
      ],
      ...{ cwd: "/", prompt: "Why?", version: "1.0.0", mode: "default", mcpServers, session },
      judge: () => Promise.resolve(undefined),
    });
  }
  const messages = Deno.readTextFileSync(record).trim().split("\n").map((line) => JSON.parse(line));
  const seen = messages.map(({ method, params, result }) => {
    const type = method === undefined ? "RequestPermissionResponse" : TYPES[method];
    const isValid = ajv.getSchema(`acp#/$defs/${type}`)!;
    assertEquals([isValid(params ?? result), isValid.errors], [true, null], type);
    return type;
  });
  assertEquals(new Set(seen).size, 6);
  Deno.removeSync(record);
});
