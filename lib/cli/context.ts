// The context of a command, for a command line or the MCP server.

import type { Context } from "./command.ts";
import { knownAgent } from "../config/known_agent.ts";
import type { CalledCommand, ContextOptions } from "./open_here.ts";

/**
 * Makes the context of one run, which loads the parts that a command opens on demand.
 *
 * @param as the acting agent or person that the command line names, if any; the workspace must know the name
 */
export function makeContext(
  call: CalledCommand,
  options: ContextOptions,
  as?: string,
): Context {
  const operation = {};
  const openState = async () => {
    const { openHere } = await import("./open_here.ts");
    return await openHere(call, options, operation);
  };
  return {
    ...options,
    name: call.name,
    openState,
    openWorkspace: async () => {
      const state = await openState();
      const { completeWorkspace } = await import("../workspace/open.ts");
      const workspace = await completeWorkspace(state);
      if (as !== undefined) knownAgent(as, { field: "--as", known: workspace.knownAgents() });
      return workspace;
    },
  };
}
