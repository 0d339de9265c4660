/**
 * `agentx config show`.
 *
 * @module
 */

import { defineCommand } from "../../cli/command.ts";
import { completeConfig } from "../../config/config.ts";
import { readSettings } from "../../config/settings.ts";
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
    const content = global
      ? (await import("./file.ts")).globalContent("config show")
      : readSettings(await context.openState(), () => {}).content;
    noteWithoutEffect(context.io, content);
    return { output: { config: completeConfig(content) } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
