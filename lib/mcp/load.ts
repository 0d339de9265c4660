// The tools with the commands whose input they take.

import type { Command, CommandEntry } from "../cli/command.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** A tool with the command whose input it takes. */
export interface LoadedTool {
  tool: Tool;
  command: Command | undefined;
}

/** Loads a command by its words. */
export type LoadCommand = (words: string) => Promise<Command>;

/** How to load a command of the table. */
export function loaderOf(commands: readonly CommandEntry[]): LoadCommand {
  return async (words) => {
    const entry = commands.find(({ name }) => name === words);
    if (entry?.load === undefined) throw new TypeError(`There is no command "${words}"`);
    return (await entry.load()).command;
  };
}

export async function loadTools(load: LoadCommand): Promise<LoadedTool[]> {
  return await Promise.all(TOOLS.map(async (tool) => {
    return { tool, command: tool.command === undefined ? undefined : await load(tool.command) };
  }));
}
