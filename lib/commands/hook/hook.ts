// `agentx hook start`, `agentx hook finish`, and the spelling of the original AgentX for both:
// `agentx hook -Phase start -Agent engineer -Issue 42`.
//
// An agent that agentx runs may trigger the hooks of the repository: they do not count for the agent that works
// there.

import { HUB, HUMAN, roleOf } from "../../base/agent_names.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "../../who/host_session.ts";
import { agentsOf, type AgentStatus } from "../../clarify/status_file.ts";
import { type AgentHere, agentHere } from "../../cli/acting_agent.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { argument, type InputOf, oneOf, optional, word } from "../../cli/spec.ts";
import { readSource } from "../../cli/read_source.ts";
import { usageError } from "../../cli/usage_error.ts";
import { AgentxError, type ErrorCode, EXIT_CODES, hasCode } from "../../base/errors.ts";
import { shellWord } from "../../base/quote.ts";
import { PROJECT } from "../../memory/schema.ts";
import { SessionManager } from "../../memory/session_manager.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { hasMemory } from "../../workspace/find.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { openWork } from "../../workspace/work.ts";
import { reasonOf } from "../../memory/warn_on_failure.ts";

/** The role whose work goes through an iterative loop (PRD "Iterative refinement"). */
const LOOPING_ROLE = "engineer";

/** Exit code of an unexpected failure. */
const FAILED = 1;

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
  /** The agent's status; null if nothing was recorded: standard error says why. */
  state: AgentStatus | null;
  /** What earlier sessions learned; empty at the end, and for nothing. */
  recall: string;
  /** Ids of the observations of its session. */
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

/** The monitor runs after the start was recorded, so that what the agent left behind shows at once. */
async function begin({ io, signal, openState }: Context, given: Who): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const { status, events } = workspace.records();
  const { name: agent, session } = workingAgent("start", io, given.agent);
  const output: HookOutput = { phase: "start", agent, state: null, recall: "", captured: [] };
  if (isOfOther(io, agent, workspace)) return { output };
  const issue = given.issue ?? status.bases().get(agent)?.issue ?? null;
  const sessions = new SessionManager(status, events);
  const begun = await sessions.start({ agent, issueNumber: issue, hostSession: session });
  if (issue !== null) {
    await (await openWork(workspace)).ready.renewLease(issue, agent);
  }
  await runMonitorIfNeeded(workspace, signal);
  output.state = agentsOf(await status.current()).get(agent) ?? begun.state;
  if (issue !== null) output.recall = await recallFor(workspace, roleOf(agent), issue);
  return { output };
}

/**
 * The session is captured first: it has learned something even if it may not end yet. Throws
 * `GATE_REFUSED` where the engineer would finish while its loop is active.
 */
async function end(
  { io, signal, openState }: Context,
  { transcript, ...given }: Who & { transcript?: string },
): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const { notify } = workspace;
  const { status, events } = workspace.records();
  const { name: agent, session } = workingAgent("finish", io, given.agent);
  const output: HookOutput = { phase: "finish", agent, state: null, recall: "", captured: [] };
  if (isOfOther(io, agent, workspace)) return { output };
  await runMonitorIfNeeded(workspace, signal);
  const capture = async (session: string, issue: number | null) => {
    if (transcript === undefined) return 0;
    const of = { agent, session, issue, path: transcript, io };
    const { ids, exitCode } = await captureSession(workspace, of);
    output.captured = ids;
    return exitCode;
  };
  try {
    await status.checkName(agent, session);
  } catch (error) {
    // Exit code 2 would make the host continue; and what the session learned is captured under its own name.
    if (!hasCode(error, "INVALID_INPUT")) throw error;
    notify(error.oneLine);
    const exitCode = session === undefined ? 0 : await capture(session, given.issue ?? null);
    return { output, exitCode };
  }
  const issue = given.issue ?? status.bases().get(agent)?.issue ?? null;
  const exitCode = await capture(agent, issue);
  if (issue !== null) {
    const { loop, ready, finish } = await openWork(workspace);
    const refusal = roleOf(agent) === LOOPING_ROLE ? loop.checkLoopGate(issue) : undefined;
    if (refusal !== undefined) throw refusal;
    await finish(issue, agent);
    await ready.release(issue, agent);
  }
  const sessions = new SessionManager(status, events);
  const ended = await sessions.end({ agent, issueNumber: issue, hostSession: session });
  output.state = ended.state;
  return { output, exitCode };
}

/**
 * Captures a session for its role, and returns the ids of the new observations. A failure is
 * reported with how to do it later; the exit code is never 2, with which a hook would stop its
 * host.
 */
async function captureSession(
  { memory, notify }: WorkspaceState,
  { agent, session, issue, path, io }: {
    agent: string;
    session: string;
    issue: number | null;
    /** The recording: a file, or `-` for standard input. */
    path: string;
    io: Io;
  },
): Promise<{ ids: string[]; exitCode: number }> {
  const role = roleOf(agent);
  try {
    const pipeline = await memory();
    const { readTranscript } = await import("../../transcripts/mod.ts");
    const captured = await pipeline.capture(
      async () => readTranscript(await readSource(path, io)),
      { agent: role, issueNumber: issue ?? PROJECT, session },
    );
    return { ids: captured.map(({ id }) => id), exitCode: 0 };
  } catch (error) {
    notify(`The session was not captured: ${reasonOf(error)}`);
    const file = path === "-" ? "FILE" : shellWord(path);
    const about = `--agent ${role} --issue ${issue ?? PROJECT}`;
    notify(`Capture it later with: agentx memory capture ${about} --from ${file}`);
    const exitCode = error instanceof AgentxError ? EXIT_CODES[error.code as ErrorCode] : FAILED;
    return { ids: [], exitCode: exitCode === EXIT_CODES.INVALID_INPUT ? FAILED : exitCode };
  }
}

function workingAgent(phase: HookOutput["phase"], io: Io, agent: string): AgentHere {
  const role = roleOf(agent);
  if (role === HUMAN || role === HUB) {
    const why = role === HUB ? "nobody acts as the hub" : "a human is not an agent";
    throw usageError(`hook ${phase}`, { field: "AGENT", value: agent, why });
  }
  return agentHere(io, agent);
}

/** Whether agentx runs another agent here than the hook is for; then this is reported. */
function isOfOther(io: Io, agent: string, { notify }: WorkspaceState): boolean {
  const depth = io.env(DEPTH_VARIABLE);
  const isNested = depth !== undefined && Number(depth) !== 0;
  if (!isNested || roleOf(io.env(AGENT_VARIABLE) ?? "") === roleOf(agent)) return false;
  notify(`Nothing is recorded for ${agent}: this runs for another agent (${DEPTH_VARIABLE})`);
  return true;
}

async function recallFor(state: WorkspaceState, agent: string, issue: number): Promise<string> {
  if (state.config.memory.maxTokens === 0 || !hasMemory(`${state.root}/.agentx`)) return "";
  return (await (await state.memory()).recall(agent, issue)).section;
}

function renderHook(output: HookOutput, { style }: RenderView): string {
  const { agent, state, recall, captured } = output;
  const remembered = captured.length === 0 ? "" : ` Remembered: ${captured.length}.`;
  if (state === null) return `  Nothing is recorded for ${terminalLine(agent)}.${remembered}`;
  const issue = state.issue === null ? "" : ` on #${state.issue}`;
  const line = `  ${style.bold(terminalLine(agent))} is ${state.status}${issue}.${remembered}`;
  return recall === "" ? line : `${line}\n\n${recall}`;
}
