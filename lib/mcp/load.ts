// The tools with the commands whose input they take.

import type { Command } from "../cli/command.ts";
import type { LoadCommand } from "../cli/find_command.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** A tool with the command whose input it takes. */
export interface LoadedTool {
  tool: Tool;
  command: Command | undefined;
}

export async function loadTools(load: LoadCommand): Promise<LoadedTool[]> {
  return await Promise.all(TOOLS.map(async (tool) => {
    return { tool, command: tool.command === undefined ? undefined : await load(tool.command) };
  }));
}
