// The format of `agent-status.json` (SPEC-1 section 4.3): one row for each role, and under an extra key the sessions of
// the role, each with its own status. Pure.

import { isSessionName, roleOf } from "../../base/agent_names.ts";
import type { HostProcess } from "../../who/host_process.ts";
import { isObject } from "../../base/checks.ts";

/** The statuses that hooks and people set. */
export type BaseStatus = "idle" | "working" | "done" | "stuck";

/** The statuses of SPEC-1 section 4.3. */
export type AgentStatusName = BaseStatus | "clarifying" | "blocked-clarification";

/** An agent in the status file: a role, or one session of it. */
export interface AgentStatus {
  /** The status of the agent, clarifications included. */
  status: AgentStatusName;
  /** The issue of the status; null if there is none. */
  issue: number | null;
  /** ISO-8601, UTC: when the entry last changed. */
  lastActivity: string;
  /** The clarification that the agent answers or waits for. */
  clarificationId: string | null;
  /** The agent that it waits for, while it is blocked. */
  waitingOn: string | null;
  /** The agent that it answers, while it is clarifying. */
  respondingTo: string | null;
  /** The work of the agent apart from clarifications. */
  base: AgentBase;
  /** The host session that uses the agent's name, if the host shows one. */
  session?: string;
  /** The process of that host, if known. */
  process?: HostProcess;
}

/** An agent's work apart from clarifications. */
export interface AgentBase {
  /** The last status that hooks or people reported. */
  status: BaseStatus;
  /** The issue of the work; null if there is none. */
  issue: number | null;
  /** ISO-8601, UTC: when the status began; null in files of the original AgentX. */
  since: string | null;
  /** ISO-8601, UTC: when the session began, as `hook start` reported it; absent if it was not reported. */
  startedAt?: string;
}

/** The row of a role, which sums up all its sessions. Its base is the work without a session. */
export interface RoleStatus extends AgentStatus {
  /** The sessions by full name, such as `engineer@claude-3f2a`; absent if there are none. */
  sessions?: Record<string, AgentStatus>;
}

/** The whole status file, by role. */
export type AgentStatusFile = Record<string, RoleStatus>;

/** An agent's act on a clarification (ADR-1 decision 4). */
export interface AgentActivity {
  /** The agent, with or without a worker. */
  agent: string;
  /** The kind of act; `fail` means that the agent's run brought no answer. */
  did: "ask" | "answer" | "fail";
  /** The issue of the clarification. */
  issue: number;
  /** The host session of the agent, if the host shows one. */
  session?: string;
  /** The process of that host, if known. */
  process?: HostProcess;
}

/**
 * A session without a known process counts as gone after this long without a sign, in milliseconds.
 */
const SILENT_MS = 30 * 60_000;

/** A session without a claim or an open question is forgotten after this long, in milliseconds. */
const FORGOTTEN_MS = 60 * 60_000;

const STATUSES: readonly string[] = [
  "idle",
  "working",
  "clarifying",
  "blocked-clarification",
  "done",
  "stuck",
];

const BASES: readonly string[] = ["idle", "working", "done", "stuck"];

/** Returns every role and every session by its name. The entry of a role is its work without a session. */
export function agentsOf(file: AgentStatusFile): Map<string, AgentStatus> {
  const agents = new Map<string, AgentStatus>();
  for (const [name, { sessions = {}, ...row }] of Object.entries(file)) {
    agents.set(name, row);
    for (const [session, entry] of Object.entries(sessions)) agents.set(session, entry);
  }
  return agents;
}

/**
 * Whether a session has ended, or seems to have ended after a long silence. `isRunning` tells whether the process of
 * the session runs, if known.
 */
export function isGone(
  entry: AgentStatus | undefined,
  nowMs: number,
  isRunning?: boolean,
): boolean {
  if (entry === undefined || baseOf(entry).status === "done") return true;
  return isRunning === undefined ? isSilent(entry, nowMs, SILENT_MS) : !isRunning;
}

/**
 * Returns the base of an entry. Files of the original AgentX have no base: their status outside of clarifications
 * serves as the base.
 */
export function baseOf(entry: Partial<AgentStatus> = {}): AgentBase {
  if (entry.base !== undefined) return { ...entry.base, since: entry.base.since ?? null };
  const { status = "idle", issue = null } = entry;
  if (BASES.includes(status)) return { status: status as BaseStatus, issue, since: null };
  return { status: issue === null ? "idle" : "working", issue, since: null };
}

/** Returns the start of the session, unless the agent turns to another issue: it may be another session then. */
export function statusStart({ issue: before, startedAt }: AgentBase, issue: number | null) {
  const isOther = before !== null && issue !== null && before !== issue;
  return isOther || startedAt === undefined ? {} : { startedAt };
}

/** Changes the entry of an agent, in place. */
export function setEntry(
  file: AgentStatusFile,
  agent: string,
  change: Pick<AgentStatus, "lastActivity"> & Partial<AgentStatus>,
): void {
  const role = rowOf(agent);
  const row = { ...own(file, role) } as RoleStatus;
  if (role === agent) Object.assign(row, change);
  else {
    const before = own(row.sessions ?? {}, agent) ?? own(file, agent);
    row.sessions = { ...row.sessions, [agent]: { ...before, ...change } as AgentStatus };
    delete file[agent]; // an older version kept it there
  }
  file[role] = row;
}

/** Removes an agent, in place; a row with sessions stays. */
export function dropEntry(file: AgentStatusFile, agent: string): void {
  const row = own(file, rowOf(agent));
  if (row?.sessions !== undefined) delete row.sessions[agent];
  else if (rowOf(agent) === agent) delete file[agent];
}

/**
 * Notes an agent's act, in place. An idle agent works on the issue of its question; a busy one keeps its work. An agent
 * is stuck from a failed run until it answers.
 */
export function noteActivity(file: AgentStatusFile, activity: AgentActivity, since: string): void {
  const { agent, did, issue, session, process } = activity;
  const base = baseOf(agentsOf(file).get(agent));
  if (did === "ask") {
    const isFree = base.status === "idle" || base.status === "done";
    const free = { status: "working", issue, since, ...statusStart(base, issue) } as const;
    setEntry(file, agent, {
      base: isFree ? free : base,
      lastActivity: since,
      ...session === undefined ? {} : { session, process },
    });
    return;
  }
  const status = did === "fail" ? "stuck" : "working";
  const changes = did === "fail" ? base.status !== "stuck" : base.status === "stuck";
  const now = { ...base, status, issue: base.issue ?? issue, since } as const;
  if (changes) setEntry(file, agent, { base: now, lastActivity: since });
}

/** Returns the first problem of a status file, with its place; undefined if there is none. */
export function statusProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  for (const [agent, entry] of Object.entries(value)) {
    const problem = entryProblem(agent, entry);
    if (problem !== undefined) return problem;
    const { sessions = {} } = entry as { sessions?: unknown };
    if (!isObject(sessions)) return `${agent}.sessions must be an object`;
    for (const [session, of] of Object.entries(sessions)) {
      const problem = entryProblem(session, of);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function entryProblem(agent: string, entry: unknown): string | undefined {
  if (!isObject(entry)) return `${agent} must be an object`;
  const { status, base } = entry;
  if (!STATUSES.includes(status as string)) {
    return `${agent}.status must be one of ${STATUSES.join(", ")}`;
  }
  if (base !== undefined && !(isObject(base) && BASES.includes(base.status as string))) {
    return `${agent}.base.status must be idle, working, done or stuck`;
  }
  return undefined;
}

/**
 * Whether a session has been silent for so long that it will not come back. An ended session may still come back before
 * that: hosts call their last hook at the end of each turn, and the issue and the start of the session are needed
 * again.
 */
export function isForgotten(entry: AgentStatus, nowMs: number): boolean {
  return isSilent(entry, nowMs, FORGOTTEN_MS);
}

function isSilent({ lastActivity }: AgentStatus, nowMs: number, limitMs: number): boolean {
  const heardMs = Date.parse(lastActivity);
  return !(nowMs - heardMs < limitMs); // also true for an invalid time
}

/** Returns the key of an agent's row; an invalid foreign name has a row of its own. */
export function rowOf(name: string): string {
  return isSessionName(name) ? roleOf(name) : name;
}

function own<V>(of: Record<string, V>, key: string): V | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
