/**
 * What happens when an agent begins and ends its work, in whichever spelling the hook is called.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import type { AgentStatus } from "../clarify/status.ts";
import { terminalLine } from "../text.ts";
import type { Workspace } from "../workspace/open.ts";
import type { View } from "./command.ts";

/** The role whose work goes through an iterative loop (PRD "Iterative refinement"). */
const LOOPING_ROLE = "engineer";

/** When a hook is called. */
export type Phase = "start" | "finish";

/** What a hook did. */
export interface HookOutput {
  phase: Phase;
  agent: string;
  /** What the agent does now. */
  state: AgentStatus;
}

/** Options of {@linkcode runHook}. */
export interface HookOptions {
  agent: string;
  /** The issue that is worked on; left out, the one that the agent worked on before. */
  issue?: number;
}

/**
 * Notes that an agent begins or ends its work.
 *
 * @param phase begins or ends
 * @param workspace where it works
 * @param options who works on what
 * @returns what the agent does now
 * @throws {AgentxError} `GATE_REFUSED` where the engineer would finish with its loop still active
 */
export async function runHook(
  phase: Phase,
  { status, events, loop, ready }: Workspace,
  { agent, issue }: HookOptions,
): Promise<HookOutput> {
  const before = status.bases().get(agent);
  const number = issue ?? before?.issue ?? null;
  if (number !== null) {
    const isHandOver = phase === "finish" && roleOf(agent) === LOOPING_ROLE;
    const refusal = isHandOver ? loop.checkLoopGate(number) : undefined;
    if (refusal !== undefined) throw refusal;
    await ready.renewLease(number, agent);
  }
  const timestamp = Date.now();
  const work = { agent, timestamp, ...(number === null ? {} : { issueNumber: number }) };
  const base = { status: phase === "start" ? "working" : "done", issue: number } as const;
  const state = await status.setBase(agent, base);
  if (phase === "start") events.emit("agent-started", work);
  else {
    const sinceMs = Date.parse(before?.since ?? "");
    const durationMs = Number.isNaN(sinceMs) ? 0 : timestamp - sinceMs;
    events.emit("agent-completed", { ...work, durationMs });
  }
  return { phase, agent, state };
}

/** @returns what the agent does now, in a line */
export function renderHook({ agent, state }: HookOutput, { style }: View): string {
  const issue = state.issue === null ? "" : ` on #${state.issue}`;
  return `  ${style.bold(terminalLine(agent))} is ${state.status}${issue}.`;
}
