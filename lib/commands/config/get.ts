import { defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { completeConfig } from "../../config/content.ts";
import { getConfigValue } from "../../config/edit.ts";
import { encodeJson } from "../../text/text.ts";
import { noteWithoutEffect, whichFile } from "./file.ts";
import { contentOf, withoutValues } from "./content.ts";

export const command = defineCommand({
  kind: "config.value",
  examples: ["agentx config get agents.architect.command"],
  input: {
    ...whichFile,
    key: argument(word, "Name of the setting, such as agents.architect.command"),
  },
  positional: ["key"],
  conflicts: { global: ["local"] },
  async run(context, { key, ...which }) {
    const content = await contentOf(context, which);
    const config = completeConfig(content);
    const isOne = /\.env\.[^.]+$/.test(key);
    const value = getConfigValue(isOne ? config : withoutValues(config), key);
    noteWithoutEffect(context.io, content, key);
    return { output: { key, value } };
  },
  render: ({ value }) => encodeJson(value, 2),
});
