import type { Context } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { PluginManager } from "../../plugins/plugin_manager.ts";

export const pluginName = argument(word, "Name of the package", { placeholder: "NAME" });

export async function managerOf({ openState }: Context): Promise<PluginManager> {
  return new PluginManager(await openState());
}
