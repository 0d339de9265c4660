/**
 * `agentx config set`.
 *
 * @module
 */

import * as z from "zod/mini";
import { completeConfig, getConfigValue, setConfigValue } from "../config/config.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { encodeJson, terminalLine } from "../text.ts";
import { argument } from "./arguments.ts";
import { type Context, defineCommand } from "./command.ts";
import { globalConfig, globalPath, isGlobal } from "./config_file.ts";

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
    key: argument(z.string(), "The setting, with dots"),
    value: argument(z.string(), "JSON, or a text", { stdin: true }),
  }),
  positional: ["key", "value"],
  async run(context, { global, key, value }) {
    const file = global ? globalFile() : await repositoryFile(context);
    const content = await file.update(
      "config",
      (current = {}) => setConfigValue(current, key, value),
    );
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});

type ConfigFile = JsonFile<Record<string, unknown>>;

function globalFile(): ConfigFile {
  globalConfig("config set"); // a file that is wrong stays as it is
  return new JsonFile(globalPath("config set"), new FileLockManager());
}

async function repositoryFile(context: Context): Promise<ConfigFile> {
  const { root, locks } = await context.openState();
  return new JsonFile(`${root}/.agentx/config.json`, locks);
}
