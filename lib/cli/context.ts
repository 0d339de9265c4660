// What a command is given to run with, by a command line or the MCP server.

import type { Command, Context } from "./command.ts";
import { note } from "./note.ts";

/** Where a command runs, and where its output goes. */
export type ContextOptions = Pick<
  Context,
  "io" | "root" | "isJson" | "signal" | "onAsked" | "onLeft"
>;

/** The context of one run; what it opens is loaded on demand. */
export function makeContext(
  { name, command }: { name: string; command: Pick<Command, "runsMonitor" | "capturesSessions"> },
  options: ContextOptions,
): Context {
  const { io, root, signal } = options;
  const openState = async () => {
    const { openState } = await import("../workspace/open_state.ts");
    const state = openState({ root, signal, notify: (message) => note(io, message) });
    const { birthOf } = await import("../workspace/birth.ts");
    if (name !== "adopt" && name !== "trust" && !birthOf(state.root).isOurs) {
      const { offerAdoption } = await import("./offer_adoption.ts");
      await offerAdoption(state, options);
    }
    if (command.runsMonitor) {
      const { runMonitorIfNeeded } = await import("../workspace/run_monitor.ts");
      await runMonitorIfNeeded(state, signal);
    }
    if (command.capturesSessions) {
      const { captureSpooled } = await import("../workspace/capture_spooled.ts");
      await captureSpooled(state);
    }
    return state;
  };
  return {
    ...options,
    name,
    openState,
    openWorkspace: async () => {
      const state = await openState();
      const { completeWorkspace } = await import("../workspace/open.ts");
      return completeWorkspace(state);
    },
  };
}
