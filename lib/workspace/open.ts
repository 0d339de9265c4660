// Builds and connects the parts of a workspace. The parts for files on disk are in `state.ts`, and the hub is in
// `open_hub.ts`, so that a command that only lists things does not load the parts that act.

import { roleOf } from "../base/agent_names.ts";
import type { AgentInvoker } from "../agents/agent_call.ts";
import type { ConfiguredOptions } from "../agents/configured.ts";
import type { ClarificationMonitor } from "../clarify/monitor/monitor.ts";
import type { ClarificationRouter } from "../clarify/hub/router.ts";
import { isRunnable, settingsKey, settingsOf } from "../config/runnable.ts";
import { once, openState } from "./open_state.ts";
import type { OpenWorkspaceOptions, Records, WorkspaceState } from "./state.ts";
import { openWork, type Work } from "./work.ts";
import { openWorkflows, type Workflows } from "./workflows.ts";

export interface Workspace extends WorkspaceState, Records, Work, Workflows {
  /** The hub, which asks, answers, resolves and escalates. It is loaded at the first call. */
  router(): Promise<ClarificationRouter>;
  /** Marks, escalates and reports clarifications without progress. It is loaded at the first call. */
  monitor(): Promise<ClarificationMonitor>;
}

/** Opens the workspace of a folder, with all its parts connected. Throws `NOT_INITIALISED`, `INVALID_CONFIG`. */
export async function openWorkspaceParts(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  return await completeWorkspace(openState(options));
}

/** Adds the parts that act to the parts for files on disk. */
export async function completeWorkspace(state: WorkspaceState): Promise<Workspace> {
  const work = await openWork(state);
  const parts = { ...state, ...state.records(), ...work, ...openWorkflows(state, work.issues) };
  const openHub = once(async () => {
    const { openMonitor, openRouter } = await import("./open_hub.ts");
    const router = openRouter(parts, (agent) => invokerOf(agent, state));
    return { router, monitor: openMonitor(parts) };
  });
  return {
    ...parts,
    router: async () => (await openHub()).router,
    monitor: async () => (await openHub()).monitor,
  };
}

/**
 * Returns how to run an agent; undefined if that is not configured. Consent is checked at each run, because the
 * program behind a command may have changed since the last run.
 */
export function invokerOf(
  agent: string,
  { agents, model, config, tree, trust, results, notify }: WorkspaceState,
  more: Pick<ConfiguredOptions, "onRun" | "work"> = {},
): AgentInvoker | undefined {
  const role = roleOf(agent);
  if (Object.hasOwn(agents, role)) return agents[role];
  const settings = settingsOf(config.agents, role);
  if (settings === undefined || !isRunnable(settings)) return undefined;
  return async (call) => {
    const consent = await trust();
    await consent.check(role);
    const { configuredInvoker } = await import("../agents/configured.ts");
    const global = consent.isOfRepository(role) ? "" : "--global ";
    const setBy = `config set ${global}agents.${settingsKey(config.agents, role)}`;
    const models = await consent.models(role, notify);
    const options = {
      cwd: tree,
      setBy,
      results: await results(),
      notify,
      models,
      editorModel: model,
      ...more,
    };
    return await configuredInvoker(settings, options)(call);
  };
}
