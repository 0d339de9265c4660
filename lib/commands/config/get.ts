/**
 * `agentx config get`.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { completeConfig, getConfigValue } from "../../config/config.ts";
import { readSettings } from "../../config/settings.ts";
import { encodeJson } from "../../text/text.ts";
import { globalContent, isGlobal, isLocal, localContent, whichFile } from "./file.ts";
import { noteWithoutEffect } from "./note.ts";

/** Prints one setting. */
export const command = defineCommand({
  name: "config get",
  summary: "Print one setting",
  kind: "config.value",
  examples: ["agentx config get agents.architect.command"],
  input: z.object({
    global: isGlobal,
    local: isLocal,
    key: argument(z.string(), "The setting, with dots"),
  }),
  positional: ["key"],
  async run(context, { key, ...flags }) {
    const { name, isGlobal } = whichFile("config get", flags);
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
