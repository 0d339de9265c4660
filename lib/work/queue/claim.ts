/**
 * The ready queue: what can be taken, and taking it (PRD US-3.3).
 *
 * An issue is taken under its own lock, on fresh data: of any number of processes that want the same
 * one, one gets it, and the others go on to the next.
 *
 * @module
 */

import { parseAgentName } from "../../agent_names.ts";
import type { ClarificationLedger } from "../../clarify/ledger.ts";
import { activeByAge } from "../../clarify/ledger_files.ts";
import { askerOf, issueNumberOf } from "../../clarify/schema.ts";
import type { AgentStatusStore } from "../../clarify/status.ts";
import { agentsOf } from "../../clarify/status_file.ts";
import { AgentxError } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { isOpen, type Issue } from "../issue/issue.ts";
import type { IssueStore } from "../issue/issue_store.ts";
import {
  type AgentStatuses,
  checkLeaseMs,
  DEFAULT_LEASE_MS,
  endLease,
  extendLease,
  grantLease,
  holderOf,
  isUnderWay,
} from "./lease.ts";
import { type Queue, selectReady } from "./selection.ts";

/** What the queue works with. All of it is made by `openWorkspace`. */
export interface ReadyQueueOptions {
  /** Where issues are kept. */
  issues: IssueStore;
  /** Knows which issues wait for an answer. */
  ledger: ClarificationLedger;
  /** Knows which agents have left their issue. */
  status: AgentStatusStore;
  /**
   * Called with one sentence for what failed without harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** The queue, and why it may be incomplete. */
export interface ReadyList extends Queue {
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

/** Options of {@linkcode ReadyQueue.claim}. */
export interface ClaimOptions {
  /**
   * Take this issue and no other.
   *
   * @default {the first that is ready}
   */
  issueNumber?: number;
  /**
   * How long it is the agent's without a renewal, in milliseconds.
   *
   * @default {1_800_000}
   */
  leaseMs?: number;
}

const NO_STATUSES: AgentStatuses = new Map();

/** Hands out issues to agents (PRD US-3.3). */
export class ReadyQueue {
  readonly #options: Required<ReadyQueueOptions>;

  /**
   * Makes a queue; nothing is read yet.
   *
   * @param options the parts it works with
   */
  constructor(options: ReadyQueueOptions) {
    const { notify = () => {} } = options;
    this.#options = { ...options, notify };
  }

  /**
   * Reads the queue as it is now.
   *
   * @returns what is ready, what waits, and which files were left out
   */
  async list(): Promise<ReadyList> {
    const { issues, ledger } = this.#options;
    const scan = issues.scan();
    const { clarifications, problems } = ledger.scan();
    const all = [...scan.problems, ...problems];
    const statuses = scan.issues.some(({ assignee }) => assignee !== null)
      ? await this.#statuses(all)
      : NO_STATUSES;
    const queue = selectReady({
      issues: scan.issues,
      clarifications,
      statuses,
      nowMs: sys.now(),
    });
    return { ...queue, problems: all };
  }

  /**
   * Claims an issue for an agent. An agent that already has the issue gets more time for it.
   *
   * @param agent with or without a worker
   * @param options which issue, and for how long
   * @returns the issue, which is the agent's now
   * @throws {AgentxError} `NOT_FOUND` if nothing is ready, or there is no such issue; `NOT_READY` if
   *   the one that is named is closed, waits or is another agent's; `INVALID_INPUT`, `CORRUPT_STATE`,
   *   `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async claim(agent: string, options: ClaimOptions = {}): Promise<Issue> {
    const { issueNumber, leaseMs = DEFAULT_LEASE_MS } = options;
    const name = parseAgentName(agent);
    checkLeaseMs(leaseMs);
    const issue = issueNumber === undefined
      ? await this.#claimFirst(name, leaseMs)
      : await this.#claimThis(issueNumber, name, leaseMs);
    await this.#noteClaim(name, issue.number);
    return issue;
  }

  /**
   * Renews a claim, as hooks do: the agent has the issue for another term.
   *
   * @param issueNumber from 1
   * @param agent with or without a worker
   * @param leaseMs how long, in milliseconds
   * @returns the issue; undefined if it is not the agent's (any more), or is not kept here
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renewLease(
    issueNumber: number,
    agent: string,
    leaseMs: number = DEFAULT_LEASE_MS,
  ): Promise<Issue | undefined> {
    const nowMs = sys.now();
    const term = { nowMs, leaseMs: checkLeaseMs(leaseMs) };
    return await this.#changeOwn(issueNumber, agent, (issue) => extendLease(issue, term));
  }

  /**
   * Gives an issue back to the queue.
   *
   * @param issueNumber from 1
   * @param agent with or without a worker
   * @returns the issue; undefined if it is not the agent's (any more), or is not kept here
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async release(issueNumber: number, agent: string): Promise<Issue | undefined> {
    const issue = await this.#changeOwn(issueNumber, agent, endLease);
    if (issue !== undefined) await this.#noteRelease(parseAgentName(agent), issueNumber);
    return issue;
  }

  async #claimFirst(agent: string, leaseMs: number): Promise<Issue> {
    const { ready, waiting } = await this.list();
    for (const { number } of ready) {
      const issue = await this.#take(number, agent, { leaseMs, isNamed: false });
      if (issue !== undefined) return issue;
    }
    const why = waiting.length === 0 ? "there is no open issue" : "no issue is ready";
    throw new AgentxError("NOT_FOUND", `Cannot claim an issue for ${agent}: ${why}`, {
      details: { kind: "issue", id: "ready" },
      next: "See what is waiting, and for what, with: agentx ready",
    });
  }

  async #claimThis(number: number, agent: string, leaseMs: number): Promise<Issue> {
    if (!isOpen(this.#options.issues.get(number))) throw notReady(number, ["it is closed"]);
    const { waiting } = await this.list();
    const reasons = waiting.find((entry) => entry.number === number)?.reasons ?? [];
    const others = reasons.filter((reason) =>
      reason.kind === "lease" ? reason.agent !== agent : reason.kind !== "status"
    );
    if (others.length > 0) throw notReady(number, others.map(({ text }) => text));
    const issue = await this.#take(number, agent, { leaseMs, isNamed: true });
    if (issue === undefined) throw notReady(number, ["another agent claimed it first"]);
    return issue;
  }

  /**
   * Under the lock of the issue, and only if it is still free, or the agent's own. What is under way is
   * claimed only by an agent that names it: its reviewer, for instance.
   */
  async #take(
    number: number,
    agent: string,
    { leaseMs, isNamed }: { leaseMs: number; isNamed: boolean },
  ): Promise<Issue | undefined> {
    const { issues } = this.#options;
    const seen = issues.find(number);
    if (seen === undefined) return undefined;
    const statuses = seen.assignee === null ? NO_STATUSES : await this.#statuses([]);
    const take = (issue: Issue): boolean => {
      const term = { nowMs: sys.now(), leaseMs };
      const holder = holderOf(issue, { ...term, statuses });
      if (!isOpen(issue) || holder !== undefined && holder !== agent) return false;
      if (!isNamed && isUnderWay(issue)) return false;
      if (holder === undefined) grantLease(issue, agent, term);
      else extendLease(issue, term);
      return true;
    };
    if (!take(structuredClone(seen))) return undefined; // without a lock, most losers learn it here
    return await issues.changeIf(number, agent, take);
  }

  async #changeOwn(
    issueNumber: number,
    agent: string,
    change: (issue: Issue) => void,
  ): Promise<Issue | undefined> {
    const { issues } = this.#options;
    const name = parseAgentName(agent);
    if (issues.find(issueNumber)?.assignee !== name) return undefined;
    return await issues.changeIf(issueNumber, name, (issue) => {
      if (issue.assignee !== name) return false;
      change(issue);
      return true;
    });
  }

  /** Without the statuses it is not known which agents have left: then only time ends a lease. */
  async #statuses(problems: AgentxError[]): Promise<AgentStatuses> {
    try {
      return agentsOf(await this.#options.status.current());
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return NO_STATUSES;
    }
  }

  /** An agent that is working elsewhere stays there; one that is idle there is working here now. */
  async #noteClaim(agent: string, issue: number): Promise<void> {
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(agent)?.base;
      if (base?.status === "working" && base.issue !== null && base.issue !== issue) {
        if (await this.#hasInHand(agent, base.issue)) return;
      }
      await status.setBase(agent, { status: "working", issue });
    });
  }

  async #noteRelease(agent: string, issue: number): Promise<void> {
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(agent)?.base;
      if (base?.status !== "working" || base.issue !== issue) return;
      await status.setBase(agent, { status: "idle", issue: null });
    });
  }

  /** Whether an issue is the agent's, waits for what it asked, or is not kept here to be claimed. */
  async #hasInHand(agent: string, number: number): Promise<boolean> {
    const { issues, ledger } = this.#options;
    const issue = issues.find(number);
    if (issue === undefined) return true;
    const statuses = await this.#statuses([]);
    if (isOpen(issue) && holderOf(issue, { nowMs: sys.now(), statuses }) === agent) return true;
    return activeByAge(ledger.scan()).some((record) =>
      askerOf(record) === agent && issueNumberOf(record.id) === number
    );
  }

  async #noteStatus(note: (status: AgentStatusStore) => Promise<void>): Promise<void> {
    const { status, notify } = this.#options;
    try {
      await note(status);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(`The agent statuses were not updated: ${error.summary}`);
    }
  }
}

function notReady(issueNumber: number, reasons: string[]): AgentxError<"NOT_READY"> {
  return new AgentxError("NOT_READY", `Cannot claim #${issueNumber}: ${reasons.join("; ")}`, {
    details: { issueNumber, reasons },
    next: "See what is ready with: agentx ready",
  });
}
