import { roleOf } from "../base/agent_names.ts";
import type { AgentState } from "../clarify/status/agent_states.ts";
import { agentsOf } from "../clarify/status/status_file.ts";
import { renderStates } from "./state/render.ts";
import { agentHere } from "../cli/acting_agent.ts";
import { defineCommand } from "../cli/command.ts";
import { agentName, issueNumber } from "../cli/inputs.ts";
import { knownAgent } from "../config/known_agent.ts";
import { noteProblems } from "../cli/note.ts";
import { oneOf, optional } from "../cli/spec.ts";
import { sys } from "../sys/mod.ts";
import { agentsNow } from "./state/agents_now.ts";

export const command = defineCommand({
  kind: "agent.list",
  examples: ["agentx state", "agentx state engineer --set working --issue 42"],
  input: {
    set: optional(oneOf(["idle", "working", "done", "stuck"]), "Status to set"),
    issue: optional(issueNumber, "Issue that the agent works on"),
    agent: optional(agentName("Only this agent")),
  },
  positional: ["agent"],
  needs: { set: ["agent"], issue: ["set"] },
  async run(context, { set, issue = null, agent }) {
    const workspace = await context.openWorkspace();
    const { status } = workspace;
    const seen = Array.from(agentsOf(await status.current()).keys(), roleOf);
    if (agent !== undefined && !seen.includes(roleOf(agent))) {
      knownAgent(agent, { field: "AGENT", known: workspace.knownAgents() });
    }
    if (set !== undefined) {
      const { name, session } = agentHere(context.io, agent!);
      await status.checkName(name, session);
      await status.setBase(name, { status: set, issue });
    }
    const { agents, problems } = await agentsNow(workspace);
    const exitCode = noteProblems(context.io, problems);
    const isAsked = ({ agent: name }: AgentState) =>
      agent === undefined || agent === name || agent === roleOf(name);
    return { output: { nowMs: sys.now(), agents: agents.filter(isAsked) }, exitCode };
  },
  render: ({ nowMs, agents }, view) => renderStates(agents, nowMs, view),
});
