// What `agent-status.json` holds and means (SPEC-1 section 4.3): one row for each role, and under an
// extra key the sessions of the role, each with a status of its own. Pure.

import { isSessionName, roleOf } from "../../base/agent_names.ts";
import type { HostProcess } from "../../who/host_process.ts";
import { isObject } from "../../base/checks.ts";

/** The statuses that hooks and people set. */
export type BaseStatus = "idle" | "working" | "done" | "stuck";

/** The statuses of SPEC-1 section 4.3. */
export type AgentStatusName = BaseStatus | "clarifying" | "blocked-clarification";

/** An agent in the status file: a role, or one session of it. */
export interface AgentStatus {
  /** Its work, clarifications included. */
  status: AgentStatusName;
  /** The issue it does it for. */
  issue: number | null;
  /** ISO-8601, UTC: when the entry last changed. */
  lastActivity: string;
  /** The clarification it answers or waits for. */
  clarificationId: string | null;
  /** Whom it waits for, when it is blocked. */
  waitingOn: string | null;
  /** Whom it answers, when it is clarifying. */
  respondingTo: string | null;
  /** Its work apart from clarifications. */
  base: AgentBase;
  /** The host's session that has the name, where a host shows one. */
  session?: string;
  /** The process of that host, where it is known. */
  process?: HostProcess;
}

/** An agent's work apart from clarifications. */
export interface AgentBase {
  /** The last word of hooks or people. */
  status: BaseStatus;
  /** The issue it does it for. */
  issue: number | null;
  /** ISO-8601, UTC: since when; null in files of the original AgentX. */
  since: string | null;
  /** ISO-8601, UTC: when its session began, as `hook start` said; absent where nobody did. */
  startedAt?: string;
}

/** The row of a role: all its sessions together. Its base is that of work without a session. */
export interface RoleStatus extends AgentStatus {
  /** By full name, such as `engineer@claude-3f2a`; absent if there is none. */
  sessions?: Record<string, AgentStatus>;
}

/** The whole file, by role. */
export type AgentStatusFile = Record<string, RoleStatus>;

/** An agent's act on a clarification (ADR-1 decision 4). */
export interface AgentActivity {
  /** With or without a worker. */
  agent: string;
  /** `fail`: its run brought no answer. */
  did: "ask" | "answer" | "fail";
  /** The issue that it is about. */
  issue: number;
  /** The host's session that it is, where one is shown. */
  session?: string;
  /** The process of that host, where it is known. */
  process?: HostProcess;
}

/**
 * A session without a known process counts as gone after this long without a sign, in milliseconds.
 */
const SILENT_MS = 30 * 60_000;

/** After so long, a session without a claim or an open question is forgotten. */
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

/** Every role and every session by its name; a role does what its base says, without its sessions. */
export function agentsOf(file: AgentStatusFile): Map<string, AgentStatus> {
  const agents = new Map<string, AgentStatus>();
  for (const [name, { sessions = {}, ...row }] of Object.entries(file)) {
    agents.set(name, row);
    for (const [session, entry] of Object.entries(sessions)) agents.set(session, entry);
  }
  return agents;
}

/**
 * Whether a session has ended, or seems to, after a long silence. `isRunning` says whether its
 * process runs, if known.
 */
export function isGone(
  entry: AgentStatus | undefined,
  nowMs: number,
  isRunning?: boolean,
): boolean {
  if (entry === undefined || baseOf(entry).status === "done") return true;
  return isRunning === undefined ? isSilent(entry, nowMs, SILENT_MS) : !isRunning;
}

/** Files of the original AgentX have no base: their status outside of clarifications serves as one. */
export function baseOf(entry: Partial<AgentStatus> = {}): AgentBase {
  if (entry.base !== undefined) return { ...entry.base, since: entry.base.since ?? null };
  const { status = "idle", issue = null } = entry;
  if (BASES.includes(status)) return { status: status as BaseStatus, issue, since: null };
  return { status: issue === null ? "idle" : "working", issue, since: null };
}

/** When its session began, unless it turns to another issue: it may not be the same one. */
export function statusStart({ issue: before, startedAt }: AgentBase, issue: number | null) {
  const isOther = before !== null && issue !== null && before !== issue;
  return isOther || startedAt === undefined ? {} : { startedAt };
}

/** Gives an agent another base, in place. */
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
    delete file[agent]; // where an older version kept it
  }
  file[role] = row;
}

/** Takes an agent out, in place; a row with sessions stays. */
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

/** The first problem of a status file, and its place. */
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
 * Whether a session that has said nothing for so long will not come back. One that has ended may,
 * until then: hosts call their last hook at the end of each turn, and its issue and start are
 * needed again.
 */
export function isForgotten(entry: AgentStatus, nowMs: number): boolean {
  return isSilent(entry, nowMs, FORGOTTEN_MS);
}

function isSilent({ lastActivity }: AgentStatus, nowMs: number, limitMs: number): boolean {
  const heardMs = Date.parse(lastActivity);
  return !(nowMs - heardMs < limitMs); // also where no time stands there
}

/** The key of an agent's row; an invalid foreign name has its own. */
export function rowOf(name: string): string {
  return isSessionName(name) ? roleOf(name) : name;
}

function own<V>(of: Record<string, V>, key: string): V | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
