// Ends a session of an agentic loop: stores its lessons in memory, and hands its work to the next agents (SPEC-AgentX
// section 2.2). A failure of memory does not fail the session.

import { roleOf } from "../base/agent_names.ts";
import type { Workflow } from "../config/workflow.ts";
import { reasonOf } from "../memory/warn_on_failure.ts";
import { sys } from "../sys/mod.ts";
import { ContextCompactor } from "./budget.ts";
import { spoken } from "./context.ts";
import type { LoopParts } from "./loop_parts.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import type { LoopTranscript } from "./transcript.ts";

/** Stores the lessons of a session. A repeated call stores no observation twice. */
export async function captureLoop(
  { id: sessionId, agent, issueNumber, turns }: LoopTranscript,
  { memory, events, notify, tree, root }: LoopParts,
): Promise<void> {
  const messages = spoken(turns);
  const compactor = new ContextCompactor({ folders: [...new Set([tree, root])] });
  const summary = compactor.compactConversation(messages, agent);
  try {
    const session = { agent: roleOf(agent), issueNumber, sessionId };
    const transcript = { sessionId, messages, recalled: [], problems: [] };
    await (await memory()).capture({ format: "markdown", ...transcript }, session);
  } catch (error) {
    notify(`Memory capture skipped: ${reasonOf(error)}`);
  }
  events.emit("context-compacted", {
    agent,
    issueNumber,
    sessionId,
    summary,
    originalTokens: estimatedTokens(messages.map(({ text }) => text).join("\n")),
    compactedTokens: estimatedTokens(summary),
    timestamp: sys.now(),
  });
}

/** Announces the hand-over to the agents with the next steps. */
export function handOff(
  { id: sessionId, agent, issueNumber }: LoopTranscript,
  { events, workflowOf }: LoopParts,
): void {
  for (const toAgent of nextAgents(workflowOf(issueNumber), roleOf(agent))) {
    const fromAgent = agent;
    events.emit("handoff-triggered", {
      fromAgent,
      toAgent,
      issueNumber,
      sessionId,
      timestamp: sys.now(),
    });
  }
}

function nextAgents({ steps }: Workflow, role: string): Set<string> {
  const own = new Set(steps.filter(({ agent }) => agent === role).map(({ id }) => id));
  const next = steps.filter(({ needs, optional }) => !optional && needs.some((id) => own.has(id)));
  return new Set(next.map(({ agent }) => agent).filter((agent) => agent !== role));
}
