/**
 * Events: the bus of a process, and a follower of the log that all processes write.
 *
 * @example A program hears what its workspace does, and reads what any process has logged
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { AgentEventBus } from "@agentx/toolkit/events";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const events = new AgentEventBus();
 * const heard: string[] = [];
 * events.on("clarification-requested", ({ clarificationId }) => heard.push(clarificationId));
 * const { router, followLog } = await openWorkspace({ root, events });
 * const log = await followLog();
 * await router.requestClarification({
 *   issueNumber: 42,
 *   fromAgent: "engineer",
 *   toAgent: "architect",
 *   topic: "Database layer",
 *   question: "PostgreSQL or SQLite?",
 *   blocking: false,
 * });
 * assertEquals(heard, ["CLR-42-001"]);
 * assertEquals(Array.from(log.poll(), ({ operation }) => operation), ["clarification-requested"]);
 * Deno.removeSync(root, { recursive: true });
 * ```
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
export { LOG_FIELDS, LoggedOperation } from "./log.ts";
export type { LogFields, WriteLog } from "./log.ts";
