/**
 * What happens when an agent begins and ends its work, in whichever spelling the hook is called.
 *
 * @module
 */

import { HUB, HUMAN, roleOf } from "../../agent_names.ts";
import { AGENT_VARIABLE, DEPTH_VARIABLE } from "../../agents/host_session.ts";
import { agentsOf, type AgentStatus } from "../../clarify/status_file.ts";
import { agentHere } from "../../cli/acting_agent.ts";
import type { Context, Result } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { usageError } from "../../cli/usage_error.ts";
import { hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import { captureSession, recallFor } from "./memory.ts";

/** The role whose work goes through an iterative loop (PRD "Iterative refinement"). */
const LOOPING_ROLE = "engineer";

/** When a hook is called. */
export type Phase = "start" | "finish";

/** What a hook did. */
export interface HookOutput {
  phase: Phase;
  agent: string;
  /** What the agent does now; null where nothing was noted, and standard error says why. */
  state: AgentStatus | null;
  /** What the agent is told of earlier sessions; empty at the end, and where there is nothing. */
  recall: string;
  /** Ids of the observations that its session brought. */
  captured: string[];
}

/** Options of {@linkcode runHook}. */
export interface HookOptions {
  agent: string;
  /** The issue that is worked on; left out, the one that the agent worked on before. */
  issue?: number;
  /** The recording of the session that ends: a file, or `-` for standard input. */
  transcript?: string;
}

/**
 * Notes that an agent begins or ends its work. The monitor looks once it is known that an agent has
 * begun: what it left behind shows at once. A program that an agent has run for an answer may have
 * the hooks of the same repository: they are not those of the agent that works there.
 *
 * @returns what the agent does now, and an exit code other than 0 where its session was not captured
 * @throws {AgentxError} `GATE_REFUSED` where the engineer would finish with its loop still active;
 *   `INVALID_INPUT` for a human or the hub, and at the start for a name that another session has
 */
export async function runHook(
  phase: Phase,
  { io, signal, openState }: Context,
  { issue, transcript, ...given }: HookOptions,
): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const named = roleOf(given.agent);
  if (named === HUMAN || named === HUB) {
    const why = named === HUB ? "nobody acts as the hub" : "a human is not an agent";
    throw usageError(`hook ${phase}`, { field: "AGENT", value: given.agent, why });
  }
  const { name: agent, session } = agentHere(io, given.agent);
  const { status, events, notify } = workspace;
  const unnoted = { output: { phase, agent, state: null, recall: "", captured: [] } };
  if (isOfOther(io, agent)) {
    notify(`Nothing is noted of ${agent}: this runs for another agent (${DEPTH_VARIABLE})`);
    return unnoted;
  }
  if (phase === "finish") await runMonitorIfNeeded(workspace, signal);
  try {
    await status.checkName(agent, session);
  } catch (error) {
    // At the end of a session, exit code 2 would tell its host to go on; and what it learned is its own.
    if (phase === "start" || !hasCode(error, "INVALID_INPUT")) throw error;
    notify(error.oneLine);
    if (transcript === undefined || session === undefined) return unnoted;
    const end = { agent, session, issue: issue ?? null, path: transcript, io };
    const { ids, exitCode } = await captureSession(workspace, end);
    return { output: { ...unnoted.output, captured: ids }, exitCode };
  }
  const role = roleOf(agent);
  const before = status.bases().get(agent);
  const number = issue ?? before?.issue ?? null;
  // First of all: a session that may not end yet has brought something too.
  const { ids: captured, exitCode } = transcript === undefined
    ? { ids: [], exitCode: 0 }
    : await captureSession(workspace, {
      agent,
      session: agent,
      issue: number,
      path: transcript,
      io,
    });
  if (number !== null) {
    const { openWork } = await import("../../workspace/work.ts");
    const { loop, ready } = openWork(workspace);
    const isHandOver = phase === "finish" && role === LOOPING_ROLE;
    const refusal = isHandOver ? loop.checkLoopGate(number) : undefined;
    if (refusal !== undefined) throw refusal;
    await ready.renewLease(number, agent);
  }
  const timestamp = sys.now();
  const work = { agent, timestamp, ...(number === null ? {} : { issueNumber: number }) };
  let state = phase === "start"
    ? await status.begin(agent, number, session)
    : await status.setBase(agent, { status: "done", issue: number }, session);
  if (phase === "start") {
    await runMonitorIfNeeded(workspace, signal);
    state = agentsOf(await status.current()).get(agent) ?? state;
  }
  if (phase === "start") events.emit("agent-started", work);
  else {
    const sinceMs = Date.parse(before?.since ?? "");
    const durationMs = Number.isNaN(sinceMs) ? 0 : timestamp - sinceMs;
    events.emit("agent-completed", { ...work, durationMs });
  }
  const recall = phase === "start" && number !== null
    ? await recallFor(workspace, { agent: role, issue: number })
    : "";
  return { output: { phase, agent, state, recall, captured }, exitCode };
}

/** Whether this is the run of one agent, and the hook is for another role. */
function isOfOther(io: Io, agent: string): boolean {
  const depth = io.env(DEPTH_VARIABLE);
  const isNested = depth !== undefined && Number(depth) !== 0;
  return isNested && roleOf(io.env(AGENT_VARIABLE) ?? "") !== roleOf(agent);
}

/** @returns what the agent does now, in a line, and what it is told */
export function renderHook(output: HookOutput, { style }: RenderView): string {
  const { agent, state, recall, captured } = output;
  const remembered = captured.length === 0 ? "" : ` Remembered: ${captured.length}.`;
  if (state === null) return `  Nothing is noted of ${terminalLine(agent)}.${remembered}`;
  const issue = state.issue === null ? "" : ` on #${state.issue}`;
  const line = `  ${style.bold(terminalLine(agent))} is ${state.status}${issue}.${remembered}`;
  return recall === "" ? line : `${line}\n\n${recall}`;
}
