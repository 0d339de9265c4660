import { roleOf } from "../../base/agent_names.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { readSource } from "../../cli/read_source.ts";
import { AgentxError, type ErrorCode, EXIT_CODES, hasCode } from "../../base/errors.ts";
import { shellWord } from "../../base/quote.ts";
import { PROJECT } from "../../memory/schema.ts";
import { SessionManager } from "../../clarify/status/session_manager.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { openWork } from "../../workspace/work.ts";
import { reasonOf } from "../../memory/warn_on_failure.ts";
import {
  type HookOutput,
  isOfOther,
  renderHook,
  transcript,
  type Who,
  who,
  workingAgent,
} from "./phase.ts";

/** The role that works in an iterative loop (PRD "Iterative refinement"). */
const LOOPING_ROLE = "engineer";

/** Exit code of an unexpected failure. */
const FAILED = 1;

export const command = defineCommand({
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

/**
 * Ends the work of an agent. The session is captured first, because it has learned something even if it may not end
 * yet. Throws `GATE_REFUSED` if the engineer would finish while its loop is active.
 */
export async function end(
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
    // Exit code 2 would make the host continue, so the error is only noted. The session is captured under its own name.
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
    output.missing = await finish(issue, agent);
    await ready.release(issue, agent);
  }
  const sessions = new SessionManager(status, events);
  const ended = await sessions.end({ agent, issueNumber: issue, hostSession: session });
  output.state = ended.state;
  return { output, exitCode };
}

/**
 * Captures a session for its role, and returns the ids of the new observations. After a failure, it notes how to
 * capture the session later. The exit code is never 2, because with 2 a hook stops its host.
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
