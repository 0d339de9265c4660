import { defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { completeConfig, getConfigValue } from "../../config/config.ts";
import { readSettings } from "../../config/settings.ts";
import { encodeJson } from "../../text/text.ts";
import { globalContent, isGlobal, isLocal, localContent, whichFile } from "./file.ts";
import { noteWithoutEffect } from "./note.ts";

/** Prints one setting. */
export const command = defineCommand({
  kind: "config.value",
  examples: ["agentx config get agents.architect.command"],
  input: {
    global: isGlobal,
    local: isLocal,
    key: argument(word, "The setting, with dots"),
  },
  positional: ["key"],
  async run(context, { key, ...flags }) {
    const { name, isGlobal } = whichFile(context.name, flags);
    const state = isGlobal ? undefined : await context.openState();
    const content = state === undefined
      ? globalContent(name)
      : flags.local
      ? localContent(state.root)
      : readSettings(state, () => {}).content;
    const value = getConfigValue(completeConfig(content), key);
    noteWithoutEffect(context.io, content, key);
    return { output: { key, value } };
  },
  render: ({ value }) => encodeJson(value, 2),
});
