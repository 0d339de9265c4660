/**
 * AgentX toolkit: coding agents that work on one repository ask each other instead of guessing, on
 * plain files that many processes share safely.
 *
 * {@linkcode openWorkspace} gives all of it, connected. A lock or a memory without a workspace is behind
 * `@agentx/toolkit/lock` and `/memory`, the hooks of coding agents behind `/hooks`, the command line behind
 * `/cli`, and what the AgentX documents name otherwise behind `/compat`.
 *
 * @example One agent asks another, which is a function of this program
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const agents = { architect: async () => "PostgreSQL, as ADR-1 says." };
 * const agentx = await openWorkspace({ root, agents });
 * const { number: issue } = await agentx.issues.create({ title: "Pay by card" });
 * const { id, answer } = await agentx.ask({
 *   issue,
 *   from: "engineer",
 *   to: "architect",
 *   question: "PostgreSQL or SQLite?",
 * });
 * assertEquals(answer, "PostgreSQL, as ADR-1 says.");
 * const { status } = await agentx.resolve(id, "PostgreSQL it is.");
 * assertEquals(status, "resolved");
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export {
  ClarificationMonitor,
  ClarificationRouter,
  openWorkspace,
} from "./lib/workspace/agentx.ts";
export type {
  ActionOptions,
  Agentx,
  FollowUp,
  Issues,
  Outcome,
  Question,
  QuestionFilter,
  Schedules,
  WaitOptions,
} from "./lib/workspace/agentx.ts";
export type { OpenWorkspaceOptions } from "./lib/workspace/state.ts";
export { initWorkspace } from "./lib/workspace/init.ts";
export type { ScheduledTask, Scheduler, TaskRun } from "./lib/schedule/scheduler.ts";
export type { Schedule } from "./lib/schedule/schedule.ts";
export { PluginManager } from "./lib/plugins/plugin_manager.ts";
export type {
  InstallOptions,
  Plugin,
  PluginManagerOptions,
  PluginPlan,
} from "./lib/plugins/plugin_manager.ts";
export type { PluginPackage } from "./lib/plugins/package.ts";
export type { CopiedFile, PluginCommand, PluginPermissions } from "./lib/plugins/extension.ts";
export type { PluginProblem } from "./lib/plugins/problem.ts";
export type { PluginServer } from "./lib/plugins/servers.ts";
export type { PluginSkill } from "./lib/plugins/skills.ts";
export { lock, updateJson } from "./lib/lock/lock.ts";
export { openMemory } from "./lib/memory/memory.ts";
export type { MonitorReport } from "./lib/clarify/monitor/monitor.ts";
export type { NotRun, Reach, Unreached } from "./lib/clarify/reach.ts";
export type { Deadlock, DeadlockedRecord } from "./lib/clarify/monitor/wait_graph.ts";
export { renderChat } from "./lib/clarify/render/threads.ts";
export type {
  ClarificationRecord,
  ClarificationStatus,
  SharedMark,
  ThreadEntry,
  ThreadEntryType,
} from "./lib/clarify/schema.ts";
export type { AgentCall, AgentInvoker, AgentReply, AnsweredBy } from "./lib/agents/agent_call.ts";
export type {
  Claim,
  Issue,
  IssueComment,
  IssueUpdate,
  NewIssue,
  StepClaim,
} from "./lib/work/issue/issue.ts";
export { AgentEventBus } from "./lib/events/bus.ts";
export type {
  AgentEvent,
  ClarificationEvent,
  EventListener,
  EventMap,
  EventName,
  EventRecord,
  MemoryEvent,
  TimedEvent,
} from "./lib/events/bus.ts";
export { AgentxError, EXIT_CODES, hasCode } from "./lib/base/errors.ts";
export type { AgentxErrorOptions, ErrorCode, ErrorDetails, LockHolder } from "./lib/base/errors.ts";
export { HUMAN } from "./lib/base/agent_names.ts";
export { redact } from "./lib/redact/redact.ts";
