// `agentx hook start`, `agentx hook finish`, and the spelling of the original AgentX for both:
// `agentx hook -Phase start -Agent engineer -Issue 42`.
//
// An agent that agentx runs may trigger the hooks of the repository. Such hooks do not count for the agent that works
// in the repository.

import { HUB, HUMAN, roleOf } from "../../base/agent_names.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "../../who/host_session.ts";
import type { AgentStatus } from "../../clarify/status/status_file.ts";
import { type AgentHere, agentHere } from "../../cli/acting_agent.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { type InputOf, optional, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

export const who = {
  agent: agentName("Agent that works"),
  issue: optional(issueNumber, "Issue that the agent works on"),
};

export const transcript = optional(word, "Transcript of the session, to remember what it learned", {
  placeholder: "FILE|-",
});

export type Who = InputOf<typeof who>;

export interface HookOutput {
  phase: "start" | "finish";
  agent: string;
  /** The agent's status; null if nothing was recorded, with the reason on standard error. */
  state: AgentStatus | null;
  /** The memory of earlier sessions; empty at the end of a session, and if there is none. */
  recall: string;
  /** Ids of the observations of its session. */
  captured: string[];
  /** At the end of a session: the missing parts of its steps, one sentence each. */
  missing?: string[];
}

export function workingAgent(phase: HookOutput["phase"], io: Io, agent: string): AgentHere {
  const role = roleOf(agent);
  if (role === HUMAN || role === HUB) {
    const why = role === HUB ? "nobody acts as the hub" : "a human is not an agent";
    throw usageError(`hook ${phase}`, { field: "AGENT", value: agent, why });
  }
  return agentHere(io, agent);
}

/** Whether agentx runs another agent here than the one of the hook. If so, this is noted. */
export function isOfOther(io: Io, agent: string, { notify }: WorkspaceState): boolean {
  const depth = io.env(DEPTH_VARIABLE);
  const isNested = depth !== undefined && Number(depth) !== 0;
  if (!isNested || roleOf(io.env(AGENT_VARIABLE) ?? "") === roleOf(agent)) return false;
  notify(`Nothing is recorded for ${agent}: this runs for another agent (${DEPTH_VARIABLE})`);
  return true;
}

export function renderHook(output: HookOutput, { style }: RenderView): string {
  const { agent, state, recall, captured, missing = [] } = output;
  const remembered = captured.length === 0 ? "" : ` Remembered: ${captured.length}.`;
  if (state === null) return `  Nothing is recorded for ${terminalLine(agent)}.${remembered}`;
  const issue = state.issue === null ? "" : ` on #${state.issue}`;
  const name = style.bold(terminalLine(agent));
  const said = missing.length === 0
    ? `is ${state.status}${issue}.`
    : `has ended its turn${issue}, and its step is not done. ` +
      `Check it again with: agentx issue validate ${state.issue} ${roleOf(agent)}.`;
  const line = `  ${name} ${said}${remembered}`;
  return recall === "" ? line : `${line}\n\n${recall}`;
}
