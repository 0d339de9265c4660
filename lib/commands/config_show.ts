/**
 * `agentx config show`.
 *
 * @module
 */

import { encodeJson } from "../text.ts";
import { defineCommand } from "./command.ts";

/** Prints all settings, with defaults. */
export const command = defineCommand({
  name: "config show",
  summary: "Print all settings, with their defaults",
  kind: "config",
  examples: ["agentx config show", "agentx config show --global"],
  input: async () => (await import("./config_show_input.ts")).input,
  async run(context, { global }) {
    if (!global) return { output: { config: (await context.openState()).config } };
    const { globalConfig } = await import("./config_file.ts");
    const config = globalConfig("config show");
    return { output: { config } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
