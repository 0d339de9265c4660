// Connects the parts that run the steps of an issue: agents in their own worktrees, the memory, and the queue.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { programName } from "../agents/environment.ts";
import { commandsOf, settingsOf } from "../config/runnable.ts";
import { unconfirmedOn } from "./open_requests.ts";
import type { WorkflowParts } from "../pipeline/run_workflow.ts";
import { hasMemory } from "./find.ts";
import { invokerOf, type Workspace } from "./open.ts";
import { whyNotRun, whyNoWork } from "./role_reach.ts";

/** Timeout for an agent without settings, which belongs to the calling program. */
const DEFAULT_SECONDS = 300;

/** Length of a step's lease, in timeouts of its agent: two runs, with a check after each. */
const RUNS = 3;

/** @returns the parts that run the steps of an issue in a workspace */
export function workflowParts(
  workspace: Workspace,
  { signal, by = HUMAN }: { signal?: AbortSignal; by?: string } = {},
): WorkflowParts {
  const { root, config, agents, memory } = workspace;
  return {
    ...workspace,
    signal,
    by,
    async workerOf(role, { cwd, work } = { cwd: workspace.tree }) {
      const invoke = invokerOf(role, { ...workspace, tree: cwd }, { work });
      if (invoke !== undefined) return invoke;
      const { reason, next } = (await whyNotRun(role, workspace))!;
      throw new AgentxError("AGENT_ERROR", `Cannot run ${role}: ${reason}`, {
        details: { agent: role, reason, final: reason },
        next: `Say how it is run: ${next}`,
      });
    },
    hostsOf(role) {
      const settings = Object.hasOwn(agents, role) ? undefined : settingsOf(config.agents, role);
      return settings === undefined ? [] : commandsOf(settings).map(programName);
    },
    whyNoWork: (role) => whyNoWork(role, workspace),
    assumed: async (issueNumber) =>
      (await unconfirmedOn(workspace, issueNumber)).map(({ id, decision }) => `${id}: ${decision}`),
    async recall(role, issueNumber) {
      if (config.memory.maxTokens === 0 || !hasMemory(`${root}/.agentx`)) return "";
      return (await (await memory()).recall(role, issueNumber)).section;
    },
    leaseMs: (role) => {
      const seconds = settingsOf(config.agents, role)?.timeoutSeconds ?? DEFAULT_SECONDS;
      return RUNS * seconds * 1_000;
    },
  };
}
