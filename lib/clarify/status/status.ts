// The work of each agent: `.agentx/state/agent-status.json` (SPEC-1 section 4.3, ADR-1 decision 4).
//
// The ledgers are the source of truth. An agent's open clarifications override its base, which hooks and people report;
// the result is its effective status. The file has both, and is derived again from the ledgers at every change.

import { HUB, isSessionName, roleOf } from "../../base/agent_names.ts";
import { type HostProcess, hostProcess, isHostRunning } from "../../who/host_process.ts";
import { AgentxError } from "../../base/errors.ts";
import type { NoteChange } from "../../events/operations.ts";
import { effectStanding, type RecordEffect, watching } from "../../events/record_effect.ts";
import { JsonFile } from "../../lock/json_file.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { isoTime } from "../../base/time.ts";
import { deriveStatus } from "./effective_status.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import { type Origin, OWN_ORIGIN } from "../../base/origin.ts";
import { activeByAge } from "../ledger/ledger_files.ts";
import { askerOf, type LedgerMove } from "../schema.ts";
import {
  type AgentActivity,
  type AgentBase,
  agentsOf,
  type AgentStatus,
  type AgentStatusFile,
  baseOf,
  dropEntry,
  isForgotten,
  isGone,
  noteActivity,
  setEntry,
  statusProblem,
  statusStart,
} from "./status_file.ts";

/** A session that gave a sign of life within this time counts as at work. */
const SPOKE_MS = 30 * 60_000;

export interface AgentStatusOptions {
  /** Returns the agents that have an issue; these are listed even if they are silent. */
  holders?: () => Promise<ReadonlySet<string>>;
  /** Tells whether the file came from elsewhere. */
  origin?: Origin;
  /** Called with each change of an agent's status before the write. */
  note?: NoteChange;
}

/** Owner of `agent-status.json`. */
export class AgentStatusStore {
  readonly #file: JsonFile<AgentStatusFile>;
  readonly #ledger: ClarificationLedger;
  readonly #holders: () => Promise<ReadonlySet<string>>;
  readonly #origin: Origin;
  readonly #note: NoteChange;

  /**
   * Opens the file, which need not exist.
   *
   * @param path `.agentx/state/agent-status.json`
   */
  constructor(
    path: string,
    locks: FileLockManager,
    ledger: ClarificationLedger,
    {
      holders = () => Promise.resolve(new Set()),
      origin = OWN_ORIGIN,
      note = () => {},
    }: AgentStatusOptions = {},
  ) {
    const options = { problemWith: statusProblem, fsync: false, kind: "state" } as const;
    this.#file = new JsonFile(path, locks, options);
    this.#ledger = ledger;
    this.#holders = holders;
    this.#origin = origin;
    this.#note = note;
  }

  /**
   * Returns the effective statuses, from the bases in the file and the ledgers as they are now. If the result differs
   * from the file, the file is written again, without the sessions that are gone for good.
   *
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async current(): Promise<AgentStatusFile> {
    const stored = this.#file.read() ?? {};
    const isAnySilent = Array.from(agentsOf(stored)).some(([agent, entry]) =>
      isSessionName(agent) && isForgotten(entry, sys.now())
    );
    const holders = isAnySilent ? await this.#holders() : null;
    const derived = this.#derive(stored, holders);
    if (JSON.stringify(derived) === JSON.stringify(stored)) return stored;
    return await this.#file.update("agent-x", (current = {}) => this.#derive(current, holders));
  }

  /** Returns the work of each agent apart from clarifications, as stored in the file. */
  bases(): Map<string, AgentBase> {
    const agents = agentsOf(this.#file.read() ?? {});
    return new Map(Array.from(agents, ([agent, entry]) => [agent, baseOf(entry)]));
  }

  /**
   * Whether other sessions of the role may act for a session: the session has ended, is unknown, or has been silent for
   * half an hour.
   */
  isGone(session: string): boolean {
    return hasGone(agentsOf(this.#file.read() ?? {}).get(session));
  }

  /** Whether the process of a session's host is known and has ended. */
  hasEndedProcess(session: string): boolean {
    const entry = agentsOf(this.#file.read() ?? {}).get(session);
    return entry?.process !== undefined && isHostRunning(entry.process) === false;
  }

  /** Whether an agent's process runs; if its process is unknown, whether its session spoke in the last half hour. */
  isAtWork(agent: string): boolean {
    const entry = agentsOf(this.#file.read() ?? {}).get(agent);
    const isRunning = entry?.process && isHostRunning(entry.process);
    if (entry === undefined || isRunning !== undefined) return isRunning === true;
    return isSessionName(agent) && sys.now() - Date.parse(entry.lastActivity) <= SPOKE_MS;
  }

  /**
   * Finds a working session of a role that hooks began, because only such a session receives questions. Undefined if
   * there is none.
   */
  atWork(role: string): string | undefined {
    const agents = Array.from(agentsOf(this.#file.read() ?? {}));
    return agents.find(([name, entry]) => {
      const { status, startedAt } = baseOf(entry);
      const isHeard = entry.session !== undefined || startedAt !== undefined;
      return roleOf(name) === role && status === "working" && isHeard && !hasGone(entry);
    })?.[0];
  }

  /** Returns the names that a session has used here, even if the session never reported its role. */
  namesOf(hostSession: string): string[] {
    return Array.from(agentsOf(this.#file.read() ?? {}))
      .flatMap(([name, { session }]) => session === hostSession ? name : []);
  }

  /** Like {@linkcode AgentStatusStore.bases}; none if the file came from elsewhere. */
  ownBases(): Map<string, AgentBase> {
    return this.#origin.now()(this.#file.path) ? new Map() : this.bases();
  }

  /** Derives the file again after a change of a ledger. The act of an agent also counts as its sign of life. */
  async refresh(activity?: AgentActivity): Promise<AgentStatusFile> {
    return await this.#update((current) => {
      if (activity === undefined) return;
      const process = activity.session === undefined ? undefined : hostProcess();
      noteActivity(current, { ...activity, process }, isoTime(sys.now()));
    });
  }

  /**
   * Throws if another session has the name: two sessions with one name would give up each other's questions. Hosts
   * report the end of a session after each turn, so an ended session may come back.
   *
   * @throws {AgentxError} `INVALID_INPUT` if another session has the name and is alive, or has an open question or an
   *   issue
   */
  async checkName(agent: string, session: string | undefined): Promise<void> {
    if (session === undefined) return;
    const entry = agentsOf(this.#file.read() ?? {}).get(agent);
    if (entry?.session === undefined || entry.session === session) return;
    const open = activeByAge(this.#ledger.scan()).find((record) => askerOf(record) === agent);
    const freeOnce = open !== undefined
      ? `${open.id}, which it asked, is resolved`
      : !hasGone(entry)
      ? "the other session has finished, or was silent for half an hour"
      : (await this.#holders()).has(agent)
      ? "the issues that it has claimed are given back or closed"
      : undefined;
    if (freeOnce === undefined) return;
    const worker = `${session.replaceAll(/[^a-z0-9]/g, "").slice(-4)}x`;
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot act as "${agent}": another session has this name`,
      {
        details: { field: "agent", value: agent },
        next:
          `Choose another one, such as ${
            roleOf(agent)
          }@${worker}, for all that this session does ` +
          `(AGENTX_AGENT, --as, or the AGENT of a hook); the name is free once ${freeOnce}`,
      },
    );
  }

  /** Sets the work of an agent apart from clarifications. */
  async setBase(
    agent: string,
    base: Pick<AgentBase, "status" | "issue">,
    session?: string,
  ): Promise<AgentStatus> {
    return await this.#setBase(agent, { session }, (before, since) => ({
      ...base,
      since,
      ...statusStart(baseOf(before), base.issue),
    }));
  }

  /**
   * Notes that a session begins its work. Hosts report this again when they resume a session. If the host names the
   * session, a resumed session keeps its start, and keeps the time of its work if the issue is the same.
   */
  async begin(
    agent: string,
    issue: number | null,
    session?: string,
    process?: HostProcess,
  ): Promise<AgentStatus> {
    return await this.#setBase(agent, { session, process }, (before, since) => {
      const isResumed = session !== undefined && before?.session === session;
      const was = isResumed ? baseOf(before) : undefined;
      const isSame = was?.status === "working" && was.issue === issue;
      return {
        status: "working",
        issue,
        since: isSame ? was.since ?? since : since,
        startedAt: was?.startedAt ?? since,
      };
    });
  }

  /**
   * Notes that a run of an agent has ended, with or without a reply, and ends the sessions that spoke during the run. A
   * session with a process that still runs is left alone; the process of a session in a sandbox cannot be seen from
   * here.
   *
   * @param startedMs when the run began, in milliseconds since the epoch
   */
  async endRun(agent: string, issue: number, startedMs: number): Promise<void> {
    for (const [name, { base, process, lastActivity }] of agentsOf(this.#file.read() ?? {})) {
      const { status, issue: on } = base;
      const isOfRun = isSessionName(name) && roleOf(name) === agent && status === "working" &&
        (on ?? issue) === issue &&
        Date.parse(lastActivity) >= startedMs;
      if (!isOfRun || process !== undefined && isHostRunning(process)) continue;
      await this.setBase(name, { status: "done", issue: on });
    }
  }

  /**
   * Returns when a session on an issue began, as `hook start` reported it, in milliseconds since the epoch; undefined
   * if it was not reported.
   */
  startOf(agent: string, issue: number): number | undefined {
    const base = baseOf(agentsOf(this.#file.read() ?? {}).get(agent));
    const startMs = Date.parse(statusStart(base, issue).startedAt ?? "");
    return startMs >= 0 ? startMs : undefined;
  }

  async #setBase(
    agent: string,
    { session, process }: Pick<AgentStatus, "session" | "process">,
    baseAfter: (before: AgentStatus | undefined, since: string) => AgentBase,
  ): Promise<AgentStatus> {
    const file = await this.#update((current) => {
      const since = isoTime(sys.now());
      const base = baseAfter(agentsOf(current).get(agent), since);
      const host = session === undefined ? {} : { session, process: process ?? hostProcess() };
      setEntry(current, agent, { base, lastActivity: since, ...host });
    });
    return agentsOf(file).get(agent)!;
  }

  /** Restores the earlier work of agents, unless they work on something else by now, and derives the file again. */
  async takeBack(taken: readonly RecordEffect[]): Promise<void> {
    await this.#update((current) => {
      const now = new Map(workOf(current).map((work) => [work.id, work]));
      for (const effect of taken) {
        if (effectStanding(effect, now.get(effect.id)) !== "done") continue;
        if (effect.before === null) {
          dropEntry(current, effect.id);
          continue;
        }
        const { id, ...base } = effect.before as unknown as Work;
        setEntry(current, id, { base, lastActivity: isoTime(sys.now()) });
      }
    });
  }

  async #update(change: (file: AgentStatusFile) => void): Promise<AgentStatusFile> {
    return await this.#file.update(HUB, (current = {}) => {
      const effects = watching("status", workOf(current));
      change(current);
      this.#note(HUB, effects(workOf(current)));
      return this.#derive(current);
    });
  }

  /** Replaces the numbers of renumbered issues in the file. */
  async renumber(moves: readonly LedgerMove[]): Promise<void> {
    const numbers = new Map(moves.map(({ from, to }) => [from, to]));
    await this.#file.update("agent-x", (current = {}) => {
      for (const [agent, entry] of agentsOf(current)) {
        const base = baseOf(entry);
        const issue = numbers.get(base.issue ?? 0);
        if (issue === undefined) continue;
        setEntry(current, agent, { base: { ...base, issue }, lastActivity: entry.lastActivity });
      }
      return this.#derive(current);
    });
  }

  /**
   * Derives the statuses from the open clarifications and the bases. While the holders of issues are unknown, no
   * session is dropped.
   */
  #derive(file: AgentStatusFile, holders: ReadonlySet<string> | null = null): AgentStatusFile {
    const open = activeByAge(this.#ledger.scan());
    return deriveStatus(file, { open, holders, nowMs: sys.now() });
  }
}

/** The work of an agent, as the agent itself reported it. */
type Work = AgentBase & { id: string };

function workOf(file: AgentStatusFile): Work[] {
  return Array.from(agentsOf(file), ([id, entry]) => ({ id, ...baseOf(entry) }));
}

function hasGone(entry: AgentStatus | undefined): boolean {
  const isRunning = entry?.process && isHostRunning(entry.process);
  return isGone(entry, sys.now(), isRunning);
}
