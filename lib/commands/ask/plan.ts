// `agentx ask human --run AGENT` acts as the orchestrator: the agent plans an issue, the human gets its question, and
// the agent is run again with the outcome.

import { isSessionName } from "../../base/agent_names.ts";
import type { AgentInvoker } from "../../agents/agent_call.ts";
import type { Context } from "../../cli/command.ts";
import { viewOf } from "../../cli/io.ts";
import { knownAgent } from "../../config/known_agent.ts";
import { note } from "../../cli/note.ts";
import { missingArgument, usageError } from "../../cli/usage_error.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import { renderQuestion } from "../../gate/render/interaction.ts";
import {
  type GateRun,
  INVESTIGATOR,
  REQUIREMENTS_ENGINEER,
  runGate,
  type RunGateOptions,
} from "../../pipeline/gate_run.ts";
import { inWords } from "../../gate/timeout.ts";
import { AgentxError } from "../../base/errors.ts";
import { planParts } from "../../inbox/kinds/plan.ts";
import { renderProposed } from "../../inbox/render.ts";
import { SessionManager, type SessionStart } from "../../clarify/status/session_manager.ts";
import { hasGroups } from "../../work/issue/plan.ts";
import { processOf } from "../../who/host_process.ts";
import { invokerOf, type Workspace } from "../../workspace/open.ts";
import { timeFor } from "./input.ts";
import { untilEndedHere } from "./until_ended_here.ts";

interface PlanInput {
  agent: string;
  issue: number | undefined;
  session: string | undefined;
  question: string | undefined;
  timeout: string | undefined;
}

/** Runs an agent to plan an issue. Returns the plan, or the question if nobody has answered yet. */
export async function planIssue(
  context: Context,
  { agent: given, issue, session, question, timeout }: PlanInput,
  workspace: Workspace,
): Promise<GateRun> {
  const { name, io, signal } = context;
  if (issue === undefined) throw missingArgument(name, "--issue");
  const agent = knownAgent(given, { field: "--run", known: workspace.knownAgents() });
  const gate = await workspace.gate();
  const token = crypto.randomUUID();
  const options: RunGateOptions = {
    gate,
    agent,
    invoke: runnable(name, agent, workspace),
    issue,
    request: question ?? requestOf(name, issue, workspace),
    session: session ?? `run:${token}`,
    requirements: hasRequirementsEngineer(workspace)
      ? invokerOf(REQUIREMENTS_ENGINEER, workspace)
      : undefined,
    investigator: invokerOf(INVESTIGATOR, workspace),
    ...timeFor(io, timeout),
    wait: async (asked) => {
      surface(io, asked);
      const wait = { context, workspace, gate, timeout: timeout ?? workspace.config.gate.timeout };
      return await untilEndedHere(asked, wait);
    },
    notify: (message) => note(io, message),
    signal,
  };
  const working: SessionStart = {
    agent: isSessionName(agent) ? agent : `${agent}@run-${token.slice(-4)}`,
    issueNumber: issue,
    hostSession: `run:${token}`,
    process: processOf(),
  };
  const sessions = new SessionManager(workspace.status, workspace.events);
  await sessions.start(working);
  const end = (error?: string) =>
    sessions.end(working, error).catch((error) => {
      if (!(error instanceof AgentxError)) throw error;
      note(io, error.summary); // the outcome of the run matters more
    });
  try {
    const run = await runGate(options);
    await end();
    if (run.mode === "PARALLEL") await keepPlan(io, workspace, { issue, agent, text: run.plan });
    return run;
  } catch (error) {
    await end(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Makes issues of the groups in a plan, which may be worked on in parallel. */
async function keepPlan(
  io: Context["io"],
  workspace: Workspace,
  { issue, agent, text }: { issue: number; agent: string; text: string },
): Promise<void> {
  if (!hasGroups(text)) return;
  try {
    const { issues, plan } = await planParts(workspace, issue, { text, by: agent });
    note(
      io,
      plan === null
        ? `Its parts are ${issues.map(({ number }) => `#${number}`).join(", ")}`
        : renderProposed(plan.id).trim(),
    );
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    note(io, `It becomes no issues: ${error.summary}`);
  }
}

/** Whether an agent of that name looks at requests first; the setting for every role does not count. */
function hasRequirementsEngineer({ agents, config }: Workspace): boolean {
  return [agents, config.agents].some((each) => Object.hasOwn(each, REQUIREMENTS_ENGINEER));
}

/** Shows the question in the words of seed 004. At a terminal, the block comes later, with its countdown. */
function surface(io: Context["io"], asked: GateInteraction): void {
  const { deadline, created } = asked;
  const waits = deadline === null
    ? "no fallback is taken without one"
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
