// Begins, continues and ends the sessions of agents (SPEC-AgentX section 2.1). The hooks of hosts and the agentic loop
// call this module, and memory files the observations of a session under the same id.

import { roleOf } from "../../base/agent_names.ts";
import type { AgentStatusStore } from "./status.ts";
import type { AgentStatus } from "./status_file.ts";
import type { AgentEventBus } from "../../events/bus.ts";
import { sys } from "../../sys/mod.ts";
import type { HostProcess } from "../../who/host_process.ts";
import { deriveSessionId } from "../../base/session_name.ts";

/** An agent and its work. */
export interface SessionStart {
  /** The agent, with or without a worker. */
  agent: string;
  /** The issue that the agent works on; null if unknown. */
  issueNumber: number | null;
  /** The id of the session at its host. No other session may use the name of the agent. */
  hostSession: string | undefined;
  /** The process that the session ends with. */
  process?: HostProcess;
}

/** A session of an agent. */
interface Session extends SessionStart {
  /** The id, such as `engineer-1709035100000-x7y8z9`, derived from the agent and the start. */
  id: string;
  /** The current state of the agent. */
  state: AgentStatus;
}

/** Begins and ends sessions, and emits an event for each. */
export class SessionManager {
  readonly #status: AgentStatusStore;
  readonly #events: AgentEventBus;

  /**
   * Connects the parts; nothing is read yet.
   *
   * @param status the store that notes the work of each agent
   */
  constructor(status: AgentStatusStore, events: AgentEventBus) {
    this.#status = status;
    this.#events = events;
  }

  /**
   * Begins a session, or continues the one that its host names.
   *
   * @returns the session; a continued session keeps its id
   * @throws {AgentxError} `INVALID_INPUT` if another session has the name; `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async start(start: SessionStart): Promise<Session> {
    const { agent, issueNumber, hostSession, process } = start;
    await this.#status.checkName(agent, hostSession);
    const timestamp = sys.now();
    const state = await this.#status.begin(agent, issueNumber, hostSession, process);
    const id = idOf(agent, state.base.startedAt);
    this.#events.emit("agent-started", { agent, timestamp, ...about(issueNumber), sessionId: id });
    return { ...start, id, state };
  }

  /**
   * Ends a session.
   *
   * @param end the session to end; without an issue, the issue of the agent's status counts
   * @param error why the session failed; absent if it succeeded
   * @throws {AgentxError} as {@linkcode SessionManager.start}
   */
  async end(end: SessionStart, error?: string): Promise<Session> {
    const { agent, hostSession } = end;
    await this.#status.checkName(agent, hostSession);
    const before = this.#status.bases().get(agent);
    const issueNumber = end.issueNumber ?? before?.issue ?? null;
    const timestamp = sys.now();
    const base = { status: "done", issue: issueNumber } as const;
    const state = await this.#status.setBase(agent, base, hostSession);
    const sinceMs = Date.parse(before?.since ?? "");
    const durationMs = Number.isNaN(sinceMs) ? 0 : timestamp - sinceMs;
    const id = idOf(agent, before?.startedAt);
    const session = { agent, timestamp, ...about(issueNumber), sessionId: id };
    if (error === undefined) this.#events.emit("agent-completed", { ...session, durationMs });
    else this.#events.emit("agent-error", { ...session, error });
    return { agent, hostSession, issueNumber, id, state };
  }
}

function idOf(agent: string, startedAt: string | undefined): string {
  const startMs = Date.parse(startedAt ?? "");
  return deriveSessionId({
    agent: roleOf(agent),
    session: agent,
    startMs: Number.isNaN(startMs) ? undefined : startMs,
    text: "",
  });
}

function about(issueNumber: number | null): { issueNumber?: number } {
  return issueNumber === null ? {} : { issueNumber };
}
