/**
 * `agentx hook start`, `agentx hook finish`, and the spelling of the original AgentX for both:
 * `agentx hook -Phase start -Agent engineer -Issue 42`.
 *
 * A program that an agent has run for an answer may have the hooks of the same repository: they are not
 * those of the agent that works there.
 *
 * @module
 */

import { HUB, HUMAN, roleOf } from "../../agent_names.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "../../agents/host_session.ts";
import { agentsOf, type AgentStatus } from "../../clarify/status_file.ts";
import { type AgentHere, agentHere } from "../../cli/acting_agent.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { argument, type InputOf, oneOf, optional, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { hasCode } from "../../errors.ts";
import { SessionManager } from "../../memory/session_manager.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { hasMemory } from "../../workspace/find.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** The role whose work goes through an iterative loop (PRD "Iterative refinement"). */
const LOOPING_ROLE = "engineer";

/** An issue file, which may have been merged, that names no assignee. */
const UNASSIGNED = /^(?![^]*"assignee"\s*:\s*")[^]*"assignee"\s*:\s*null/;

const who = {
  agent: agentName("Agent that works"),
  issue: optional(issueNumber, "Issue that it works on"),
};

const transcript = optional(word, "Transcript of the session, to remember what it learned", {
  placeholder: "FILE|-",
});

type Who = InputOf<typeof who>;

interface HookOutput {
  phase: "start" | "finish";
  agent: string;
  /** What the agent does now; null where nothing was noted, and standard error says why. */
  state: AgentStatus | null;
  /** What the agent is told of earlier sessions; empty at the end, and where there is nothing. */
  recall: string;
  /** Ids of the observations that its session brought. */
  captured: string[];
}

export const hook = defineCommand({
  kind: "hook",
  examples: [
    "agentx hook start engineer 42",
    "agentx hook -Phase finish -Agent engineer -Issue 42",
  ],
  input: {
    phase: argument(oneOf(["start", "finish"]), "Whether its work starts or ends"),
    ...who,
    transcript,
  },
  endsSession: (words) => words.some((word) => /^(?:-+phase=)?finish$/i.test(word)),
  async run(context, { phase, ...input }) {
    if (phase === "finish") return await end(context, input);
    if (input.transcript !== undefined) {
      const why = "--transcript goes with the phase finish";
      throw usageError(context.name, { field: "--transcript", value: input.transcript, why });
    }
    return await begin(context, input);
  },
  render: renderHook,
});

export const start = defineCommand({
  kind: "hook",
  examples: ["agentx hook start engineer 42", "agentx hook start engineer 42 --json"],
  input: who,
  positional: ["agent", "issue"],
  run: begin,
  render: renderHook,
});

export const finish = defineCommand({
  kind: "hook",
  examples: [
    "agentx hook finish engineer 42",
    "agentx hook finish engineer 42 --transcript session.jsonl",
  ],
  input: { transcript, ...who },
  positional: ["agent", "issue"],
  endsSession: () => true,
  run: end,
  render: renderHook,
});

/** The monitor looks once it is known that the agent has begun: what it left behind shows at once. */
async function begin({ io, signal, openState }: Context, given: Who): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const { status, events } = await workspace.records();
  const { name: agent, session } = workingAgent("start", io, given.agent);
  const output: HookOutput = { phase: "start", agent, state: null, recall: "", captured: [] };
  if (isOfOther(io, agent, workspace)) return { output };
  const issue = given.issue ?? status.bases().get(agent)?.issue ?? null;
  const sessions = new SessionManager(status, events);
  const begun = await sessions.start({ agent, issueNumber: issue, hostSession: session });
  if (issue !== null && mayBeAssigned(workspace, issue)) {
    await (await workOf(workspace)).ready.renewLease(issue, agent);
  }
  await runMonitorIfNeeded(workspace, signal);
  output.state = agentsOf(await status.current()).get(agent) ?? begun.state;
  if (issue !== null) output.recall = await recallFor(workspace, roleOf(agent), issue);
  return { output };
}

/**
 * What the session brought is captured first of all: also one that may not end yet has brought something.
 *
 * @throws {AgentxError} `GATE_REFUSED` where the engineer would finish with its loop still active
 */
async function end(
  { io, signal, openState }: Context,
  { transcript, ...given }: Who & { transcript?: string },
): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const { notify } = workspace;
  const { status, events } = await workspace.records();
  const { name: agent, session } = workingAgent("finish", io, given.agent);
  const output: HookOutput = { phase: "finish", agent, state: null, recall: "", captured: [] };
  if (isOfOther(io, agent, workspace)) return { output };
  await runMonitorIfNeeded(workspace, signal);
  const capture = async (session: string, issue: number | null) => {
    if (transcript === undefined) return 0;
    const { captureSession } = await import("./memory.ts");
    const of = { agent, session, issue, path: transcript, io };
    const { ids, exitCode } = await captureSession(workspace, of);
    output.captured = ids;
    return exitCode;
  };
  try {
    await status.checkName(agent, session);
  } catch (error) {
    // Exit code 2 would tell the host to go on; and what the session learned is its own.
    if (!hasCode(error, "INVALID_INPUT")) throw error;
    notify(error.oneLine);
    const exitCode = session === undefined ? 0 : await capture(session, given.issue ?? null);
    return { output, exitCode };
  }
  const issue = given.issue ?? status.bases().get(agent)?.issue ?? null;
  const exitCode = await capture(agent, issue);
  if (issue !== null) {
    const { loop, ready } = await workOf(workspace);
    const refusal = roleOf(agent) === LOOPING_ROLE ? loop.checkLoopGate(issue) : undefined;
    if (refusal !== undefined) throw refusal;
    await ready.renewLease(issue, agent);
  }
  const sessions = new SessionManager(status, events);
  const ended = await sessions.end({ agent, issueNumber: issue, hostSession: session });
  output.state = ended.state;
  return { output, exitCode };
}

function workingAgent(phase: HookOutput["phase"], io: Io, agent: string): AgentHere {
  const role = roleOf(agent);
  if (role === HUMAN || role === HUB) {
    const why = role === HUB ? "nobody acts as the hub" : "a human is not an agent";
    throw usageError(`hook ${phase}`, { field: "AGENT", value: agent, why });
  }
  return agentHere(io, agent);
}

/** Whether this is the run of one agent, and the hook is for another role; then it is noted. */
function isOfOther(io: Io, agent: string, { notify }: WorkspaceState): boolean {
  const depth = io.env(DEPTH_VARIABLE);
  const isNested = depth !== undefined && Number(depth) !== 0;
  if (!isNested || roleOf(io.env(AGENT_VARIABLE) ?? "") === roleOf(agent)) return false;
  notify(`Nothing is noted of ${agent}: this runs for another agent (${DEPTH_VARIABLE})`);
  return true;
}

/** An issue that is nobody's, or not kept here, has no lease for which the queue would be loaded. */
function mayBeAssigned({ root }: WorkspaceState, issue: number): boolean {
  const text = sys.readTextFile(`${root}/.agentx/issues/${issue}.json`);
  return text !== undefined && !UNASSIGNED.test(text);
}

async function workOf(workspace: WorkspaceState) {
  const { openWork } = await import("../../workspace/work.ts");
  return await openWork(workspace);
}

async function recallFor(state: WorkspaceState, agent: string, issue: number): Promise<string> {
  const { root, tree } = state;
  const home = `${root}/.agentx`;
  if (state.config.memory.maxTokens === 0 || !hasMemory(home)) return "";
  const { recallForSession } = await import("../../workspace/session_recall.ts");
  const wanted = { agent, issue, maxCharacters: null, tree };
  const locks = async () => (await state.shared()).locks;
  return await recallForSession(wanted, { home, state: () => state, locks });
}

function renderHook(output: HookOutput, { style }: RenderView): string {
  const { agent, state, recall, captured } = output;
  const remembered = captured.length === 0 ? "" : ` Remembered: ${captured.length}.`;
  if (state === null) return `  Nothing is noted of ${terminalLine(agent)}.${remembered}`;
  const issue = state.issue === null ? "" : ` on #${state.issue}`;
  const line = `  ${style.bold(terminalLine(agent))} is ${state.status}${issue}.${remembered}`;
  return recall === "" ? line : `${line}\n\n${recall}`;
}
