// Decides who answers the questions to a role: an agent that can be run, otherwise a session of the role at work,
// otherwise another machine that serves the role, otherwise nobody until a person acts. All parts of the program use
// this answer.

import type { NotRun, Reach } from "../clarify/reach.ts";
import { agentLabel } from "../text/agent_label.ts";
import type { Runs } from "../clarify/runs/runs.ts";
import type { AgentStatusStore } from "../clarify/status/status.ts";
import { commandsOf, EDITOR, isRunnable, presetsOf, settingsOf } from "../config/runnable.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { findProgram } from "../sys/find_program.ts";
import type { WorkspaceState } from "./state.ts";

export interface RoleReachParts extends Pick<WorkspaceState, RunParts> {
  status: AgentStatusStore;
  /**
   * Returns whether a runner serves a role. The runner checked consent at its start, and may see programs that a
   * sandbox hides.
   */
  isServed: Runs["isServed"];
  /** Returns the name of another machine that serves a role. */
  servedElsewhere: (role: string) => Promise<string | undefined>;
}

/** The parts that show whether an agent can be run. */
type RunParts = "agents" | "model" | "config" | "trust";

/** Finds out who answers the questions to a role. */
export async function roleReach(role: string, parts: RoleReachParts): Promise<Reach> {
  const why = await whyNotRun(role, parts);
  if (why === undefined || why.isConfigured && parts.isServed(role)) return { by: "run" };
  const agent = parts.status.atWork(role);
  if (agent !== undefined) return { by: "session", agent };
  const machine = await parts.servedElsewhere(role);
  return machine === undefined ? { by: "nobody", ...why } : { by: "machine", machine };
}

/** Returns why no agent can be run for a role; undefined if one can. */
export async function whyNotRun(
  role: string,
  { agents, model, config, trust }: Pick<WorkspaceState, RunParts>,
): Promise<NotRun | undefined> {
  if (Object.hasOwn(agents, role)) return undefined;
  const name = agentLabel(role);
  if (!isRunnable(settingsOf(config.agents, role))) {
    return {
      isConfigured: false,
      reason: `no agent is configured for ${name}`,
      next: "agentx config set --global agents.default.preset claude",
    };
  }
  const presets = presetsOf(settingsOf(config.agents, role)!);
  if (model === undefined && presets.length > 0 && presets.every((name) => name === EDITOR)) {
    return {
      isConfigured: true,
      reason: `${name} is a model of VS Code, and no window of it serves here`,
      next: "run the command AgentX: Answer Agents' Questions in VS Code",
    };
  }
  try {
    await (await trust()).check(role);
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    const reason = hasCode(error, "UNTRUSTED")
      ? `what is run for ${name} is not agreed to here`
      : `whether ${name} may be run is not known: ${error.summary}`;
    return { isConfigured: true, reason, next: "agentx trust" };
  }
}

/** Returns why no agent can work as a role, as far as it can be known before a run; undefined if one can. */
export async function whyNoWork(
  role: string,
  state: Pick<WorkspaceState, RunParts | "tree">,
): Promise<Pick<NotRun, "reason" | "next"> | undefined> {
  const why = await whyNotRun(role, state);
  const settings = settingsOf(state.config.agents, role);
  if (why !== undefined || settings === undefined || Object.hasOwn(state.agents, role)) return why;
  const { lacksSandbox, whyUnlimited } = await import("../agents/configured.ts");
  const set = `agentx config set agents.${agentLabel(role)}`;
  const next = `${set}.preset claude`;
  const unlimited = whyUnlimited(settings);
  if (unlimited !== undefined) {
    const reason = `it is not run for work: ${unlimited}`;
    return { reason, next: lacksSandbox(settings) ? `${set}.sandbox workspace` : next };
  }
  const programs = commandsOf(settings).map(([program]) => program);
  const place = { tree: state.tree, path: settings.env.PATH };
  if (programs.some((program) => findProgram(program, place) !== undefined)) return undefined;
  return { reason: `there is no ${programs.join(" or ")} on the PATH`, next };
}
