/**
 * `agentx config set`.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { completeConfig, getConfigValue, setConfigValue } from "../../config/config.ts";
import { encodeJson, terminalLine } from "../../text/text.ts";
import { changeSettings } from "./change.ts";
import { isGlobal, isLocal, whichFile } from "./file.ts";
import { noteWithoutEffect } from "./note.ts";

/** Changes one setting; every other key of the file stays. */
export const command = defineCommand({
  name: "config set",
  summary: "Change one setting",
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
    `agentx config set --global agents.architect.command '["claude", "-p"]'`,
  ],
  input: z.object({
    global: isGlobal,
    local: isLocal,
    key: argument(z.string(), "The setting, with dots"),
    value: argument(z.string(), "JSON, or a text", { stdin: true }),
  }),
  positional: ["key", "value"],
  async run(context, { key, value, ...flags }) {
    const file = whichFile("config set", flags);
    const content = await changeSettings(
      context,
      file,
      (current = {}) => setConfigValue(current, key, value),
    );
    noteWithoutEffect(context.io, content, key);
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});
