/**
 * `agentx config get`.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { getConfigValue } from "../../config/config.ts";
import { encodeJson } from "../../text/text.ts";
import { globalConfig, isGlobal, isLocal, localConfig, whichFile } from "./file.ts";
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
    const config = state === undefined
      ? globalConfig(name)
      : flags.local
      ? localConfig(state.root)
      : state.config;
    const value = getConfigValue(config, key);
    noteWithoutEffect(context.io, config, key);
    return { output: { key, value } };
  },
  render: ({ value }) => encodeJson(value, 2),
});
