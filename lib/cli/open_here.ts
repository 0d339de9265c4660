// Opens the workspace of a command, with what is due at that time: an offer to adopt what came from elsewhere,
// the monitor, and the capture of sessions that have ended.

import { birthOf } from "../workspace/state_origin.ts";
import { captureSpooled } from "../workspace/capture_spooled.ts";
import { openState } from "../workspace/open_state.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import type { Command, Context } from "./command.ts";
import { note } from "./note.ts";

/** Where a command runs, and where its output goes. */
export type ContextOptions = Pick<
  Context,
  "io" | "root" | "isJson" | "signal" | "onAsked"
>;

/** A command by its words, and what runs along with it. */
export interface CalledCommand {
  name: string;
  command: Pick<Command, "runsMonitor" | "capturesSessions">;
}

/** Opens what the workspace of a command knows. */
export async function openHere(
  { name, command }: CalledCommand,
  options: ContextOptions,
): Promise<WorkspaceState> {
  const { io, root, signal } = options;
  const state = openState({ root, signal, notify: (message) => note(io, message) });
  if (name !== "adopt" && name !== "trust" && !birthOf(state.root).isOurs) {
    const { offerAdoption } = await import("./offer_adoption.ts");
    await offerAdoption(state, options);
  }
  if (command.runsMonitor) await runMonitorIfNeeded(state, signal);
  if (command.capturesSessions) await captureSpooled(state);
  return state;
}
