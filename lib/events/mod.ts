/**
 * Events: the bus of a process, and following the log that all processes write.
 *
 * @module
 */

export { AgentEventBus } from "./bus.ts";
export type {
  AgentEvent,
  AgentEventBusOptions,
  ClarificationEvent,
  EventListener,
  EventMap,
  EventName,
  EventRecord,
  MemoryEvent,
  TimedEvent,
} from "./bus.ts";
export { LogFollower } from "./follower.ts";
export type { LogFollowerOptions, LogLine } from "./follower.ts";
