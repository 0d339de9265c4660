// Events of a workspace and their listeners.
//
// An event is emitted once the change that it describes is on disk. Listeners are called one after the
// other; none can undo the change or prevent the others from being called.

/** Part of every event. */
export interface TimedEvent {
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** Part of every event of an agent. */
export interface AgentEvent extends TimedEvent {
  /** Name, with the worker if there is one: `engineer@2`. */
  agent: string;
  /** The issue that it works on, if known. */
  issueNumber?: number;
  /** Its session at the host, if known. */
  sessionId?: string;
}

/** A clarification, as its events describe it (SPEC-1 section 12.2). */
export interface ClarificationEvent extends TimedEvent {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /** The issue it belongs to. */
  issueNumber: number;
  /** The agent that asks, whichever agent caused the event. */
  fromAgent: string;
  /** The agent that is asked. */
  toAgent: string;
  /** The cause of the event: an agent, `human`, or `agent-x` for the hub itself. */
  agent: string;
  /** The topic, in a few words. */
  topic: string;
  /** True if `fromAgent` is waiting for the answer. */
  blocking: boolean;
  /** The current round. */
  round: number;
  /** Its status after the event. */
  status: string;
  /** The ids of the requests of a deadlock that an escalation breaks, and the reason in one line. */
  deadlock?: { cycle: string[]; escalated: string[]; continued: string[]; reason: string };
}

/** Observations that were written or recalled (SPEC-AgentX section 3.3). */
export interface MemoryEvent extends TimedEvent {
  /** The agent that made the observations, or that recalls them. */
  agent: string;
  /** The issue they belong to. */
  issueNumber: number;
  /** Number of observations. */
  count: number;
  /** Their size together, in estimated tokens. */
  totalTokens: number;
  /** Their ids. */
  observationIds: string[];
  /** The duration of a recall. */
  durationMs?: number;
}

/** The payload of every event, by name. */
export interface EventMap {
  /** An agent started to work. */
  "agent-started": AgentEvent;
  /** An agent finished. */
  "agent-completed": AgentEvent & { durationMs: number };
  /** An agent failed. */
  "agent-error": AgentEvent & { error: string };
  /** An agent used a tool. */
  "tool-invoked":
    & AgentEvent
    & { tool: string; status: "running" | "done" | "error"; detail?: string };
  /** Work went from one agent to the next. */
  "handoff-triggered":
    & TimedEvent
    & { fromAgent: string; toAgent: string; issueNumber?: number; sessionId?: string };
  /** The work of an agent was checked before the handoff. */
  "validation-result":
    & AgentEvent
    & { passed: boolean; errors: string[] }
    // Of a step that was run: its id, and the tokens that the run took, estimated where nothing reports them.
    & { taskId?: string; totalTokens?: number };
  /** A conversation was summarised to save tokens. */
  "context-compacted":
    & AgentEvent
    & { originalTokens: number; compactedTokens: number; summary: string };
  /** An agent reported its current work. */
  "thinking-log":
    & AgentEvent
    & {
      kind: "info" | "tool-call" | "tool-result" | "api-call" | "text" | "warning" | "error";
      label: string;
      detail?: string;
      /** Code of the error, if it is about one. */
      code?: string;
      /** Another agent that is concerned. */
      toAgent?: string;
    };
  /** A scheduled task ran. */
  "task-fired": TimedEvent & { taskId: string; schedule: string; description: string };
  /** A message was received from or sent to a channel. */
  "channel-message":
    & TimedEvent
    & { channelId: string; direction: "inbound" | "outbound"; content: string };
  /** The state of something else changed. */
  "state-change":
    & TimedEvent
    & { source: string; oldState?: string; newState: string }
    // Of an issue: which one, who changed it, and what, such as `status,labels`.
    & { issueNumber?: number; agent?: string; kind?: string };
  /** An agent asked another agent. */
  "clarification-requested": ClarificationEvent;
  /** The agent that was asked answered. */
  "clarification-answered": ClarificationEvent;
  /** The answer did not come in time. */
  "clarification-stale": ClarificationEvent;
  /** The requester has its answer. */
  "clarification-resolved": ClarificationEvent;
  /** A human has to decide. */
  "clarification-escalated": ClarificationEvent;
  /** Observations were written. */
  "memory-stored": MemoryEvent;
  /** Observations were given to an agent. */
  "memory-recalled": MemoryEvent;
}

/** The name of an event. */
export type EventName = keyof EventMap;

/** The names of all events, in the order of {@linkcode EventMap}. */
export const EVENT_NAMES: readonly EventName[] = Object.keys(
  {
    "agent-started": true,
    "agent-completed": true,
    "agent-error": true,
    "tool-invoked": true,
    "handoff-triggered": true,
    "validation-result": true,
    "context-compacted": true,
    "thinking-log": true,
    "task-fired": true,
    "channel-message": true,
    "state-change": true,
    "clarification-requested": true,
    "clarification-answered": true,
    "clarification-stale": true,
    "clarification-resolved": true,
    "clarification-escalated": true,
    "memory-stored": true,
    "memory-recalled": true,
  } satisfies Record<EventName, true>,
) as EventName[];

/** An event that happened. */
export type EventRecord<Name extends EventName = EventName> = {
  [N in Name]: { name: N; payload: EventMap[N] };
}[Name];

/** Receives the payload of an event. */
export type EventListener<Name extends EventName = EventName> = (payload: EventMap[Name]) => void;

export interface AgentEventBusOptions {
  /** Called with the error of a listener. @default {() => {}} */
  onListenerError?: (error: unknown, name: EventName) => void;
}

/** So many events {@linkcode AgentEventBus.getHistory} keeps. */
const MAX_HISTORY = 200;

/** One object per subscription, so that a listener may subscribe twice. */
interface Subscription {
  listener: (payload: unknown) => unknown;
}

/** Delivers events to the listeners of this process (SPEC-1 section 12.2). */
export class AgentEventBus {
  readonly #subscriptions = new Map<EventName, Set<Subscription>>();
  readonly #onListenerError: (error: unknown, name: EventName) => void;
  #history: EventRecord[] = [];

  /** Makes a bus without listeners. */
  constructor({ onListenerError = () => {} }: AgentEventBusOptions = {}) {
    this.#onListenerError = onListenerError;
  }

  /** Calls a listener for every event of a name, from the next one on. */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    const subscriptions = this.#subscriptions.get(name) ?? new Set();
    this.#subscriptions.set(name, subscriptions);
    const subscription = { listener: listener as Subscription["listener"] };
    subscriptions.add(subscription);
    return () => void subscriptions.delete(subscription);
  }

  /** Calls a listener for the next event of a name only. */
  once<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    const stop = this.on(name, (payload) => {
      stop();
      return listener(payload);
    });
    return stop;
  }

  /** Calls the listeners of an event. */
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    this.#history.push({ name, payload } as EventRecord);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();

    const subscriptions = this.#subscriptions.get(name) ?? new Set();
    // A copy, because a listener may remove listeners, or add some, which get only later events.
    for (const subscription of [...subscriptions]) {
      if (subscriptions.has(subscription)) this.#tell(subscription, name, payload);
    }
  }

  /** Removes the listeners and the history. */
  clear(name?: EventName): void {
    for (const [subscribed, subscriptions] of this.#subscriptions) {
      if (name === undefined || name === subscribed) subscriptions.clear();
    }
    this.#history = this.#history.filter((record) => name !== undefined && record.name !== name);
  }

  /**
   * Returns the latest events.
   *
   * @returns those among the latest events of all names (200), the oldest first
   */
  getHistory<Name extends EventName = EventName>(name?: Name): EventRecord<Name>[] {
    const records = this.#history.filter((record) => name === undefined || record.name === name);
    return records as EventRecord<Name>[];
  }

  #tell({ listener }: Subscription, name: EventName, payload: unknown): void {
    const report = (error: unknown) => this.#onListenerError(error, name);
    try {
      const result = listener(payload);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }
}
