// Opens the workspace of a command, and does the work due at that time: an offer to adopt a state from elsewhere, the
// monitor, and the capture of sessions that have ended.

import { birthOf } from "../workspace/state_origin.ts";
import { captureSpooled } from "../workspace/capture_spooled.ts";
import { openState } from "../workspace/open_state.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import { actingAgent } from "./acting_agent.ts";
import type { Command, Context } from "./command.ts";
import { note } from "./note.ts";
import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";

/** Where a command runs, and where its output goes. */
export type ContextOptions = Pick<
  Context,
  "io" | "root" | "isJson" | "signal" | "onAsked" | "doAfterwards"
>;

/** A command by its words, and what runs along with it. */
export interface CalledCommand {
  name: string;
  command: Partial<Pick<Command, "run" | "runsMonitor" | "capturesSessions">>;
}

/** They repair, or follow changes from elsewhere: nobody undoes that here. */
const UNNOTED: readonly string[] = ["doctor", "sync", "__sync"];

/** Such a command is no operation, but each of its changes is one. */
function isStream({ run }: CalledCommand["command"]): boolean {
  return Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
}

/**
 * Opens what the workspace of a command knows.
 *
 * @param operation keeps the id of what the command does
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

/** Posts a command's questions and decisions once its output is printed; no hook waits for that. */
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
