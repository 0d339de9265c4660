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
  /** The issue that the agent works on, if known. */
  issueNumber?: number;
  /** The agent's session at the host, if known. */
  sessionId?: string;
}

/** A clarification, as its events describe it (SPEC-1 section 12.2). */
export interface ClarificationEvent extends TimedEvent {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /** The issue that the clarification belongs to. */
  issueNumber: number;
  /** The agent that asks. It need not be the agent that caused the event. */
  fromAgent: string;
  /** The agent that is asked. */
  toAgent: string;
  /** The agent that caused the event, `human`, or `agent-x` for the hub itself. */
  agent: string;
  /** The topic, in a few words. */
  topic: string;
  /** Whether `fromAgent` is waiting for the answer. */
  blocking: boolean;
  /** The current round. */
  round: number;
  /** The status after the event. */
  status: string;
  /** For an escalation that breaks a deadlock: the ids of the requests in the deadlock, and the reason in one line. */
  deadlock?: { cycle: string[]; escalated: string[]; continued: string[]; reason: string };
}

/** Observations that were written or recalled (SPEC-AgentX section 3.3). */
export interface MemoryEvent extends TimedEvent {
  /** The agent that made or recalls the observations. */
  agent: string;
  /** The issue that the observations belong to. */
  issueNumber: number;
  /** Number of observations. */
  count: number;
  /** Total size of the observations, in estimated tokens. */
  totalTokens: number;
  /** The ids of the observations. */
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
    // If a step was run: its id, and the tokens of the run; an estimate if nothing reports them.
    & { taskId?: string; totalTokens?: number };
  /** A conversation was summarized to save tokens. */
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
      /** The code of the error that the entry is about, if any. */
      code?: string;
      /** The other agent involved, if any. */
      toAgent?: string;
    };
  /** A scheduled task ran. */
  "task-fired": TimedEvent & { taskId: string; schedule: string; description: string };
  /** A message was received from or sent to a channel. */
  "channel-message":
    & TimedEvent
    & { channelId: string; direction: "inbound" | "outbound"; content: string };
  /** The state of another subject changed, such as an issue or a gate. */
  "state-change":
    & TimedEvent
    & { source: string; oldState?: string; newState: string }
    // For an issue: its number, who changed it, and the changed fields, such as `status,labels`.
    & { issueNumber?: number; agent?: string; kind?: string };
  /** An agent asked another agent. */
  "clarification-requested": ClarificationEvent;
  /** The agent that was asked has answered. */
  "clarification-answered": ClarificationEvent;
  /** The answer did not come in time. */
  "clarification-stale": ClarificationEvent;
  /** The requester or a human has resolved the clarification. */
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

/** An event with its payload. */
export type EventRecord<Name extends EventName = EventName> = {
  [N in Name]: { name: N; payload: EventMap[N] };
}[Name];

/** Receives the payload of an event. */
export type EventListener<Name extends EventName = EventName> = (payload: EventMap[Name]) => void;

export interface AgentEventBusOptions {
  /** Called with the error of a listener. @default {() => {}} */
  onListenerError?: (error: unknown, name: EventName) => void;
}

/** Maximum number of events that {@linkcode AgentEventBus.getHistory} returns. */
const MAX_HISTORY = 200;

/** A subscription; a separate object, so that one listener may subscribe twice. */
interface Subscription {
  listener: (payload: unknown) => unknown;
}

/** Delivers events to the listeners of this process (SPEC-1 section 12.2). */
export class AgentEventBus {
  readonly #subscriptions = new Map<EventName, Set<Subscription>>();
  readonly #onListenerError: (error: unknown, name: EventName) => void;
  #history: EventRecord[] = [];

  /** Makes a bus; `onListenerError` receives the errors of listeners. */
  constructor({ onListenerError = () => {} }: AgentEventBusOptions = {}) {
    this.#onListenerError = onListenerError;
  }

  /** Calls a listener for every later event of a name; returns a function that ends the subscription. */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    const subscriptions = this.#subscriptions.get(name) ?? new Set();
    this.#subscriptions.set(name, subscriptions);
    const subscription = { listener: listener as Subscription["listener"] };
    subscriptions.add(subscription);
    return () => void subscriptions.delete(subscription);
  }

  /** Calls a listener for the next event of a name only; returns a function that ends the subscription. */
  once<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    const stop = this.on(name, (payload) => {
      stop();
      return listener(payload);
    });
    return stop;
  }

  /** Records an event, and calls its listeners. */
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    this.#history.push({ name, payload } as EventRecord);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();

    const subscriptions = this.#subscriptions.get(name) ?? new Set();
    // Iterates over a copy, because a listener may remove listeners or add new ones; new ones get only later events.
    for (const subscription of [...subscriptions]) {
      if (subscriptions.has(subscription)) this.#tell(subscription, name, payload);
    }
  }

  /** Removes the listeners and the history of one event, or of all. */
  clear(name?: EventName): void {
    for (const [subscribed, subscriptions] of this.#subscriptions) {
      if (name === undefined || name === subscribed) subscriptions.clear();
    }
    this.#history = this.#history.filter((record) => name !== undefined && record.name !== name);
  }

  /**
   * Returns the recorded events of one name, or of all names.
   *
   * @returns the matching events among the last 200 of all names, the oldest first
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
