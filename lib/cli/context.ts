// What a command is given to run with, by a command line or the MCP server.

import type { Context } from "./command.ts";
import type { CalledCommand, ContextOptions } from "./open_here.ts";

/** The context of one run; what it opens is loaded on demand. */
export function makeContext(call: CalledCommand, options: ContextOptions): Context {
  const openState = async () => {
    const { openHere } = await import("./open_here.ts");
    return await openHere(call, options);
  };
  return {
    ...options,
    name: call.name,
    openState,
    openWorkspace: async () => {
      const state = await openState();
      const { completeWorkspace } = await import("../workspace/open.ts");
      return completeWorkspace(state);
    },
  };
}
