/**
 * `agentx config show`.
 *
 * @module
 */

import { defineCommand } from "../../cli/command.ts";
import { encodeJson } from "../../text/text.ts";
import { noteWithoutEffect } from "./note.ts";

/** Prints all settings, with defaults. */
export const command = defineCommand({
  name: "config show",
  summary: "Print all settings, with their defaults",
  kind: "config",
  examples: ["agentx config show", "agentx config show --global"],
  input: async () => (await import("./show_input.ts")).input,
  async run(context, { global }) {
    const config = global
      ? (await import("./file.ts")).globalConfig("config show")
      : (await context.openState()).config;
    noteWithoutEffect(context.io, config);
    return { output: { config } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
