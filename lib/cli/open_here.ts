// Opens the workspace of a command, and does the work that is due then: the offer to adopt a copied state, the monitor,
// and the capture of ended sessions.

import { birthOf } from "../workspace/state_origin.ts";
import { captureSpooled } from "../workspace/capture_spooled.ts";
import { openState } from "../workspace/open_state.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import { actingAgent } from "./acting_agent.ts";
import type { Command, Context } from "./command.ts";
import { note } from "./note.ts";
import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";

/** The surroundings of a command, and the destination of its output. */
export type ContextOptions = Pick<
  Context,
  "io" | "root" | "isJson" | "signal" | "onAsked" | "doAfterwards"
>;

/** A command with its words, and the extra work that runs with it. */
export interface CalledCommand {
  name: string;
  command: Partial<Pick<Command, "run" | "runsMonitor" | "capturesSessions">>;
}

/**
 * Commands that repair, or import changes from elsewhere. They are not recorded as operations, so undo does not offer
 * them.
 */
const UNNOTED: readonly string[] = ["doctor", "sync", "__sync"];

/** Whether a command is a stream. A stream is not recorded as one operation, but each of its changes is. */
function isStream({ run }: CalledCommand["command"]): boolean {
  return Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
}

/**
 * Opens the state of a command's workspace.
 *
 * @param operation receives the id of the command's operation
 */
export async function openHere(
  { name, command }: CalledCommand,
  options: ContextOptions,
  operation: { id?: string },
): Promise<WorkspaceState> {
  const { io, root, signal } = options;
  const notify = (message: string) => note(io, message);
  const events = new AgentEventBus();
  const state = openState({ root, signal, model: io.model, events, notify });
  if (state.config.mode === "github" && !name.startsWith("hook")) {
    postAfterwards(state, events, options);
  }
  if (name !== "adopt" && name !== "trust" && !birthOf(state.root).isOurs) {
    const { offerAdoption } = await import("./offer_adoption.ts");
    await offerAdoption(state, options);
  }
  if (command.runsMonitor) await runMonitorIfNeeded(state, signal);
  if (command.capturesSessions) await captureSpooled(state);
  if (UNNOTED.includes(name)) state.operations.begin("unnoted");
  else {
    const by = () => actingAgent(io, undefined).name();
    const own = isStream(command) ? undefined : operation;
    state.operations.begin({ operation: own, command: name, by });
  }
  return state;
}

/** Posts a command's questions and decisions after its output is printed; no hook waits for that. */
function postAfterwards(
  state: WorkspaceState,
  events: AgentEventBus,
  { doAfterwards }: ContextOptions,
): void {
  let hasNews = false;
  for (const name of EVENT_NAMES.filter((name) => name.startsWith("clarification-"))) {
    events.on(name, () => hasNews = true);
  }
  events.on("state-change", ({ source }) => hasNews ||= source.startsWith("gate/"));
  doAfterwards?.(async () => {
    if (hasNews) await (await import("../workspace/github.ts")).postBriefly(state);
  });
}
