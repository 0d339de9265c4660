/**
 * What each agent is doing: `.agentx/state/agent-status.json` (SPEC-1 section 4.3, ADR-1 decision 4).
 *
 * The ledgers are the truth. An agent's effective status is its open clarifications laid over its
 * base, which is what hooks and people said of it; the file holds both, and is derived again from
 * the ledgers at every change.
 *
 * @module
 */

import type { FileLockManager } from "../lock/mod.ts";
import { JsonFile } from "../lock/mod.ts";
import { type ClarificationLedger, isActive, type TrackedFiles } from "./ledger.ts";
import type { ClarificationRecord } from "./schema.ts";
import { isUnanswered, parseClarificationId } from "./schema.ts";

/** What hooks and people may say of an agent. */
export type BaseStatus = "idle" | "working" | "done" | "stuck";

/** The statuses of SPEC-1 section 4.3. */
export type AgentStatusName = BaseStatus | "clarifying" | "blocked-clarification";

/** An agent in the status file. */
export interface AgentStatus {
  /** What it does, clarifications included. */
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
  /** What it does apart from clarifications. */
  base: AgentBase;
}

/** What an agent does apart from clarifications. */
export interface AgentBase {
  /** What hooks or people said last. */
  status: BaseStatus;
  /** The issue it does it for. */
  issue: number | null;
  /** ISO-8601, UTC: since when; null in files of the original AgentX. */
  since: string | null;
}

/** The whole file, by agent. */
export type AgentStatusFile = Record<string, AgentStatus>;

/** Options of {@linkcode AgentStatusStore}. */
export interface AgentStatusOptions {
  /**
   * Wall clock, in milliseconds since the epoch.
   *
   * @default {Date.now}
   */
  now?: () => number;
  /**
   * Tells whether git tracks the file.
   *
   * @default {it does not}
   */
  trackedFiles?: TrackedFiles;
}

/** Owner of `agent-status.json`. */
export class AgentStatusStore {
  readonly #file: JsonFile<AgentStatusFile>;
  readonly #ledger: ClarificationLedger;
  readonly #now: () => number;
  readonly #trackedFiles: TrackedFiles;

  /**
   * Opens the file, which need not exist.
   *
   * @param path `.agentx/state/agent-status.json`
   * @param locks the locks of this process
   * @param ledger what is overlaid
   * @param options the clock, and what git tracks
   */
  constructor(
    path: string,
    locks: FileLockManager,
    ledger: ClarificationLedger,
    { now = Date.now, trackedFiles = () => () => false }: AgentStatusOptions = {},
  ) {
    const options = { problemWith: statusProblem, fsync: false, kind: "state" } as const;
    this.#file = new JsonFile(path, locks, options);
    this.#ledger = ledger;
    this.#now = now;
    this.#trackedFiles = trackedFiles;
  }

  /**
   * The effective statuses, from the base in the file and the ledgers as they are now. The file is
   * written again if it says otherwise.
   *
   * @returns every agent that was ever seen
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async current(): Promise<AgentStatusFile> {
    const stored = this.#file.read() ?? {};
    const derived = this.#derive(stored);
    if (JSON.stringify(derived) === JSON.stringify(stored)) return stored;
    return await this.refresh();
  }

  /** What each agent does apart from clarifications, as the file says. */
  bases(): Map<string, AgentBase> {
    const file = this.#file.read() ?? {};
    return new Map(Object.keys(file).map((agent) => [agent, baseOf(file, agent)]));
  }

  /** As {@linkcode AgentStatusStore.bases}; none where git tracks the file: anybody may have written it. */
  ownBases(): Map<string, AgentBase> {
    return this.#trackedFiles()(this.#file.path) ? new Map() : this.bases();
  }

  /** Derives the file again after a change of a ledger. */
  async refresh(): Promise<AgentStatusFile> {
    return await this.#file.update("agent-x", (current = {}) => this.#derive(current));
  }

  /**
   * Notes that an idle agent works on an issue; one that is busy stays with what it does.
   *
   * @param agent with or without a worker
   * @param issue the issue it asks about
   */
  async noteWork(agent: string, issue: number): Promise<void> {
    await this.#file.update("agent-x", (current = {}) => {
      const base = baseOf(current, agent);
      const isFree = base.status === "idle" || base.status === "done";
      if (isFree) this.#setBase(current, agent, { status: "working", issue });
      return this.#derive(current);
    });
  }

  /**
   * Says what an agent does apart from clarifications.
   *
   * @param agent with or without a worker
   * @param base its status and issue
   */
  async setBase(agent: string, base: Omit<AgentBase, "since">): Promise<AgentStatus> {
    const file = await this.#file.update("agent-x", (current = {}) => {
      this.#setBase(current, agent, base);
      return this.#derive(current);
    });
    return file[agent];
  }

  #setBase(file: AgentStatusFile, agent: string, base: Omit<AgentBase, "since">): void {
    const since = new Date(this.#now()).toISOString();
    file[agent] = { ...file[agent], base: { ...base, since }, lastActivity: since };
  }

  /** Lays the open clarifications over the bases. */
  #derive(file: AgentStatusFile): AgentStatusFile {
    const open = this.#ledger.scan().ledgers
      .flatMap(({ clarifications }) => clarifications)
      .filter(isActive)
      .sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
    const agents = new Set([...Object.keys(file), ...open.flatMap(({ from, to }) => [from, to])]);
    const entries = Array.from(agents, (agent): [string, AgentStatus] => {
      const known = Object.hasOwn(file, agent) ? file[agent] : undefined;
      const base = baseOf(file, agent);
      const effective = { ...known, ...overlay(agent, base, open), base };
      const isSame = known !== undefined && known.lastActivity !== undefined &&
        KEYS.every((key) => known[key] === effective[key]);
      const lastActivity = isSame ? known.lastActivity : new Date(this.#now()).toISOString();
      return [agent, { ...effective, lastActivity }];
    });
    return Object.fromEntries(entries); // not by assignment: a foreign name may be "__proto__"
  }
}

const KEYS = ["status", "issue", "clarificationId", "waitingOn", "respondingTo"] as const;

const BASES: readonly string[] = ["idle", "working", "done", "stuck"];

type Overlay = Omit<AgentStatus, "lastActivity" | "base">;

/**
 * The effective status of one agent. Pure.
 *
 * @param agent with or without a worker
 * @param base what it does apart from clarifications
 * @param open all open clarifications, oldest first
 */
export function overlay(
  agent: string,
  base: Pick<AgentBase, "status" | "issue">,
  open: readonly ClarificationRecord[],
): Overlay {
  const blocking = open.find(({ from, blocking }) => blocking && from === agent);
  if (blocking !== undefined) {
    return {
      status: "blocked-clarification",
      issue: issueOf(blocking),
      clarificationId: blocking.id,
      waitingOn: blocking.status === "escalated" ? "human" : blocking.to,
      respondingTo: null,
    };
  }
  const asked = open.find((record) => record.to === agent && isUnanswered(record));
  if (asked !== undefined) {
    return {
      status: "clarifying",
      issue: issueOf(asked),
      clarificationId: asked.id,
      waitingOn: null,
      respondingTo: asked.from,
    };
  }
  const { status, issue } = base;
  return { status, issue, clarificationId: null, waitingOn: null, respondingTo: null };
}

function issueOf({ id }: ClarificationRecord): number {
  return parseClarificationId(id).issueNumber;
}

/** Files of the original AgentX have no base: what they say outside of clarifications is it. */
function baseOf(file: AgentStatusFile, agent: string): AgentBase {
  const entry: Partial<AgentStatus> = Object.hasOwn(file, agent) ? file[agent] : {};
  if (entry.base !== undefined) return { ...entry.base, since: entry.base.since ?? null };
  const { status = "idle", issue = null } = entry;
  if (BASES.includes(status)) return { status: status as BaseStatus, issue, since: null };
  return { status: issue === null ? "idle" : "working", issue, since: null };
}

function statusProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "it is not an object";
  }
  for (const [agent, entry] of Object.entries(value)) {
    if (typeof entry !== "object" || entry === null) return `${agent} must be an object`;
    const { status, base } = entry;
    const isKnown = BASES.includes(status) || status === "clarifying" ||
      status === "blocked-clarification";
    if (!isKnown) return `${agent}.status is none of the six`;
    if (base !== undefined && !BASES.includes(base?.status)) {
      return `${agent}.base.status must be idle, working, done or stuck`;
    }
  }
  return undefined;
}
