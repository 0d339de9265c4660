// Who answers the questions to a role here: an agent that can be run, else a session of the role at
// work, else nobody until a person does something. Every surface asks here.

import type { NotRun, Reach } from "../clarify/reach.ts";
import { agentLabel } from "../text/agent_label.ts";
import type { Runs } from "../clarify/runs/runs.ts";
import type { AgentStatusStore } from "../clarify/status/status.ts";
import { isRunnable, settingsOf } from "../config/runnable.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import type { WorkspaceState } from "./state.ts";

export interface RoleReachParts extends Pick<WorkspaceState, "agents" | "config" | "trust"> {
  status: AgentStatusStore;
  /** A runner, which has checked consent when it began, may see what a sandbox hides. */
  isServed: Runs["isServed"];
}

/** Who answers the questions to a role. */
export async function roleReach(role: string, parts: RoleReachParts): Promise<Reach> {
  const why = await whyNotRun(role, parts);
  if (why === undefined || why.isConfigured && parts.isServed(role)) return { by: "run" };
  const agent = parts.status.atWork(role);
  return agent === undefined ? { by: "nobody", ...why } : { by: "session", agent };
}

/** Why no agent can be run for a role; undefined where one can. */
export async function whyNotRun(
  role: string,
  { agents, config, trust }: Pick<WorkspaceState, "agents" | "config" | "trust">,
): Promise<NotRun | undefined> {
  if (Object.hasOwn(agents, role)) return undefined;
  const name = agentLabel(role);
  if (!isRunnable(settingsOf(config.agents, role))) {
    return {
      isConfigured: false,
      reason: `no agent is configured for ${name}`,
      next: `agentx config set agents.${name}.preset claude`,
    };
  }
  try {
    await trust().check(role);
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    const reason = hasCode(error, "UNTRUSTED")
      ? `what is run for ${name} is not agreed to here`
      : `whether ${name} may be run is not known: ${error.summary}`;
    return { isConfigured: true, reason, next: "agentx trust" };
  }
}
