import { defineCommand } from "../../cli/command.ts";
import { completeConfig } from "../../config/config.ts";
import { readSettings } from "../../config/settings.ts";
import { encodeJson } from "../../text/text.ts";
import { globalContent, isGlobal } from "./file.ts";
import { noteWithoutEffect } from "./note.ts";

/** Prints all settings, with defaults. */
export const command = defineCommand({
  kind: "config",
  examples: ["agentx config show", "agentx config show --global"],
  input: { global: isGlobal },
  async run(context, { global }) {
    const content = global
      ? globalContent(context.name)
      : readSettings(await context.openState(), () => {}).content;
    noteWithoutEffect(context.io, content);
    return { output: { config: completeConfig(content) } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
