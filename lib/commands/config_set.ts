/**
 * `agentx config set`.
 *
 * @module
 */

import * as z from "zod/mini";
import { getConfigValue, parseConfig, setConfigValue } from "../config/config.ts";
import { JsonFile } from "../lock/mod.ts";
import { encodeJson, terminalLine } from "../text.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";

/** Changes one setting; every other key of the file stays. */
export const command = defineCommand({
  name: "config set",
  summary: "Change one setting",
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
  ],
  input: z.object({
    key: argument(z.string(), "The setting, with dots"),
    value: argument(z.string(), "JSON, or a text", { stdin: true }),
  }),
  positional: ["key", "value"],
  async run(context, { key, value }) {
    const { root, locks } = await context.openState();
    const path = `${root}/.agentx/config.json`;
    const file = new JsonFile<Record<string, unknown>>(path, locks);
    const content = await file.update(
      "config",
      (current = {}) => setConfigValue(current, key, value),
    );
    const config = parseConfig(JSON.stringify(content), path);
    return { output: { key, value: getConfigValue(config, key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});
