// The commands that show settings: `agentx config show` and `get`.

import type { JsonObject } from "../../base/checks.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import type { Config } from "../../config/config.ts";
import { completeConfig } from "../../config/content.ts";
import { getConfigValue } from "../../config/edit.ts";
import { readSettings } from "../../config/settings.ts";
import { encodeJson } from "../../text/text.ts";
import { global, globalContent, localContent, noteWithoutEffect, whichFile } from "./file.ts";

export const show = defineCommand({
  kind: "config",
  examples: ["agentx config show", "agentx config show --global"],
  input: { global },
  async run(context, { global }) {
    const content = await contentOf(context, { global });
    noteWithoutEffect(context.io, content);
    return { output: { config: withoutValues(completeConfig(content)) } };
  },
  render: ({ config }) => encodeJson(config, 2),
});

export const get = defineCommand({
  kind: "config.value",
  examples: ["agentx config get agents.architect.command"],
  input: {
    ...whichFile,
    key: argument(word, "The setting, with dots"),
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

/** Variables may be keys: their names show what is set, and one that is asked for by name is given. */
function withoutValues(config: Config): Config {
  const agents = Object.entries(config.agents).map(([role, settings]) => {
    const env = Object.fromEntries(Object.keys(settings.env).map((name) => [name, "***"]));
    return [role, { ...settings, env }];
  });
  return { ...config, agents: Object.fromEntries(agents) };
}

async function contentOf(
  { openState }: Context,
  { global, local = false }: { global: boolean; local?: boolean },
): Promise<JsonObject> {
  if (global) return globalContent();
  const state = await openState();
  return local ? localContent(state.root) : readSettings(state, () => {}).content;
}
