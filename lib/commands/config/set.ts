import { defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { completeConfig, getConfigValue, setConfigValue } from "../../config/config.ts";
import { encodeJson, terminalLine } from "../../text/text.ts";
import { changeSettings } from "./change.ts";
import { isGlobal, isLocal, whichFile } from "./file.ts";
import { noteHidden, noteWithoutEffect } from "./note.ts";

/** Changes one setting; every other key of the file stays. */
export const command = defineCommand({
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
    `agentx config set --global agents.architect.command '["claude", "-p"]'`,
  ],
  input: {
    global: isGlobal,
    local: isLocal,
    key: argument(word, "The setting, with dots"),
    value: argument(word, "JSON, or a text", { readsStdin: true }),
  },
  positional: ["key", "value"],
  async run(context, { key, value, ...flags }) {
    const file = whichFile(context.name, flags);
    const { content, hiddenAgents } = await changeSettings(
      context,
      file,
      (current = {}) => setConfigValue(current, key, value),
    );
    noteWithoutEffect(context.io, content, key);
    noteHidden(context.io, hiddenAgents, { key, value });
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});
