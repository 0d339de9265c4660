// The settings that `agentx config show` and `get` print.

import type { JsonObject } from "../../base/checks.ts";
import type { Context } from "../../cli/command.ts";
import type { Config } from "../../config/config.ts";
import { readSettings } from "../../config/settings.ts";
import { globalContent, localContent } from "./file.ts";

/**
 * Hides the values of variables, which may be keys. The names show which variables are set; `get` with a name prints
 * the value.
 */
export function withoutValues(config: Config): Config {
  const agents = Object.entries(config.agents).map(([role, settings]) => {
    const env = Object.fromEntries(Object.keys(settings.env).map((name) => [name, "***"]));
    return [role, { ...settings, env }];
  });
  return { ...config, agents: Object.fromEntries(agents) };
}

export async function contentOf(
  { openState }: Context,
  { global, local = false }: { global: boolean; local?: boolean },
): Promise<JsonObject> {
  if (global) return globalContent();
  const state = await openState();
  return local ? localContent(state.root) : readSettings(state, () => {}).content;
}
