// Sessions of agents: begins, continues and ends each (SPEC-AgentX section 2.1). The hooks of hosts and the agentic loop
// begin and end theirs here, and memory files the observations of a session under the same id.

import { roleOf } from "../../base/agent_names.ts";
import type { AgentStatusStore } from "./status.ts";
import type { AgentStatus } from "./status_file.ts";
import type { AgentEventBus } from "../../events/bus.ts";
import { sys } from "../../sys/mod.ts";
import type { HostProcess } from "../../who/host_process.ts";
import { deriveSessionId } from "../../base/session_name.ts";

/** An agent and its work. */
export interface SessionStart {
  /** With or without a worker. */
  agent: string;
  /** The issue that it works on; null where that is not known. */
  issueNumber: number | null;
  /** The session as its host names it: no other session may take its name. */
  hostSession: string | undefined;
  /** The process with which it ends. */
  process?: HostProcess;
}

/** A session of an agent. */
interface Session extends SessionStart {
  /** Such as `engineer-1709035100000-x7y8z9`: it follows from the agent and the start. */
  id: string;
  /** The state of the agent now. */
  state: AgentStatus;
}

/** Begins and ends sessions, and tells of it. */
export class SessionManager {
  readonly #status: AgentStatusStore;
  readonly #events: AgentEventBus;

  /**
   * Connects the parts; nothing is read yet.
   *
   * @param status where it is noted what each agent does
   */
  constructor(status: AgentStatusStore, events: AgentEventBus) {
    this.#status = status;
    this.#events = events;
  }

  /**
   * Begins a session, or continues the one that its host names.
   *
   * @returns the session; one that continues has the id that it had
   * @throws {AgentxError} `INVALID_INPUT` where another session has the name; `LOCK_TIMEOUT`,
   *   `CORRUPT_STATE`, `IO_ERROR`
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
   * @param end who worked on what; without an issue, on the one that it began with
   * @param error why it failed; left out, it is complete
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
