/**
 * `agentx ask-user --run AGENT`: the orchestrator's part. The agent plans an issue, the human is asked what
 * it asks, and it is run again with what comes of that.
 *
 * @module
 */

import type { AgentInvoker } from "../../agents/agent_call.ts";
import type { Context } from "../../cli/command.ts";
import { viewOf } from "../../cli/io.ts";
import { knownAgent } from "../../cli/known_agent.ts";
import { note } from "../../cli/note.ts";
import { missingArgument, usageError } from "../../cli/usage_error.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import { renderQuestion } from "../../gate/render/interaction.ts";
import { type GateRun, REQUIREMENTS_ENGINEER, runGate } from "../../gate/run.ts";
import { inWords } from "../../gate/timeout.ts";
import { invokerOf, type Workspace } from "../../workspace/open.ts";
import { untilEndedHere } from "./until_ended_here.ts";

/** What is planned by whom. */
interface PlanInput {
  agent: string;
  issue: number | undefined;
  session: string | undefined;
  question: string | undefined;
  timeout: string | undefined;
}

/** @returns the plan; where nobody has answered yet, the question */
export async function planIssue(
  context: Context,
  { agent: given, issue, session, question, timeout }: PlanInput,
  workspace: Workspace,
): Promise<GateRun> {
  const { name, io, signal } = context;
  if (issue === undefined) throw missingArgument(name, "--issue");
  const agent = knownAgent(name, { field: "--run", agent: given }, workspace);
  const gate = await workspace.gate();
  return await runGate({
    gate,
    agent,
    invoke: runnable(name, agent, workspace),
    issue,
    request: question ?? requestOf(name, issue, workspace),
    session: session ?? `run:${crypto.randomUUID()}`,
    requirements: invokerOf(REQUIREMENTS_ENGINEER, workspace),
    timeout,
    wait: async (asked) => {
      surface(io, asked);
      const wait = { context, workspace, gate, timeout: timeout ?? workspace.config.gate.timeout };
      return await untilEndedHere(asked, wait);
    },
    notify: (message) => note(io, message),
    signal,
  });
}

/** As seed 004 has it; at a terminal, the block comes with its countdown. */
function surface(io: Context["io"], asked: GateInteraction): void {
  const { deadline, created } = asked;
  const waits = deadline === null
    ? "it is never taken without one"
    : `auto-proceed with fallback in ${inWords(Date.parse(deadline) - Date.parse(created))}`;
  if (!io.isTerminal.stdin || !io.isTerminal.stderr) {
    io.stderr(`${renderQuestion(asked, viewOf(io, "stderr"))}\n\n`);
  }
  note(io, `waiting for response (${waits})`);
}

function runnable(name: string, agent: string, workspace: Workspace): AgentInvoker {
  const invoke = invokerOf(agent, workspace);
  if (invoke !== undefined) return invoke;
  throw usageError(name, {
    field: "--run",
    value: agent,
    why: `nothing says how ${agent} is run`,
    hint: `Set it with: agentx config set agents.${agent}.preset claude.`,
  });
}

function requestOf(name: string, number: number, { issues }: Workspace): string {
  const issue = issues.findReadable(number);
  if (issue !== undefined) return `${issue.title}\n\n${issue.body}`.trim();
  throw missingArgument(name, "QUESTION", `, since there is no issue #${number}`);
}
