// The parts of an open workspace, under the names of the documents.

import type { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import type { AgentStatusStore } from "../clarify/status/status.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import type { MemoryPipeline } from "../memory/memory_pipeline.ts";
import { AgenticLoop } from "../run/agentic_loop.ts";
import type { AgenticLoopConfig } from "../run/loop_parts.ts";
import { workspaceTools } from "../run/tools/workspace_tools.ts";
import type { Agentx } from "../workspace/agentx.ts";
import { openWorkspaceParts as openAll } from "../workspace/open.ts";
import type { OpenWorkspaceOptions } from "../workspace/state.ts";

/** The parts of an open workspace. */
export interface Parts {
  /** The hub that asks and answers clarifications (SPEC-1 3.3). */
  router: Agentx["router"];
  /** Marks, escalates and reports clarifications that make no progress (SPEC-1 3.4). */
  monitor: Agentx["monitor"];
  /** The stored clarifications (SPEC-1 2.5). */
  ledger: ClarificationLedger;
  /** The current work of each agent (SPEC-1 4.3). */
  status: AgentStatusStore;
  /** Emits the events of this process (SPEC-1 12.2). */
  events: AgentEventBus;
  /** The locks of this process (SPEC-1 2.6). */
  locks: FileLockManager;
  /** The memory of agents (SPEC-AgentX 3.1). */
  memory: MemoryPipeline;
}

/**
 * Opens the workspace that contains a folder.
 *
 * @throws {AgentxError} `NOT_INITIALISED`, `INVALID_CONFIG`, `UNTRUSTED`
 */
export async function openParts(options: OpenWorkspaceOptions = {}): Promise<Parts> {
  const parts = await openAll(options);
  const { ledger, status, events, locks } = parts;
  const [router, monitor] = [await parts.router(), await parts.monitor()];
  return { router, monitor, ledger, status, events, locks, memory: await parts.memory() };
}

/**
 * Makes a loop that lets a model work on issues of a workspace (ADR-1 6).
 *
 * @param config the model; without tools of its own, it gets those of the workspace
 * @throws {AgentxError} the errors of {@linkcode openParts}
 */
export async function openLoop(
  config: AgenticLoopConfig,
  options: OpenWorkspaceOptions = {},
): Promise<AgenticLoop> {
  const parts = await openAll(options);
  return new AgenticLoop(parts, { tools: workspaceTools(parts), ...config });
}
