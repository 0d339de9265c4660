/**
 * Looks after clarifications that nobody moves: overdue, going round in circles, deadlocked,
 * abandoned (SPEC-1 section 3.4, ADR-1 decision 3). Not a daemon: commands run it on their way.
 *
 * It marks, escalates and tells, and runs no agent: a listing or a hook neither waits for one nor
 * starts what a repository names. SPEC-1 2.4 lets it run the target of a stale question; here `stale`
 * means that one retry is owed, which the hub runs when it is asked to (`autoRetry` of the router).
 *
 * Nothing is done about a clarification whose ledger git tracks, nor because of a status file that it
 * tracks: somebody may have put them into the repository for others to act on.
 *
 * A finding comes from a scan without locks; what is done about it is decided again under the lock of
 * the ledger, on fresh data. So any number of monitors that run at once act once.
 *
 * @module
 */

import type { AgentxError } from "../errors.ts";
import type { AgentEventBus } from "../events.ts";
import type { Workflow } from "../workflow.ts";
import { Announcer } from "./announce.ts";
import {
  describeCycle,
  findDeadlocks,
  findOverdueTwice,
  findStuck,
  hasMovedOn,
  isOverdue,
  SAME_FROM,
} from "./findings.ts";
import type { ClarificationLedger } from "./ledger.ts";
import {
  type ClarificationRecord,
  isLookedAfter,
  isOpen,
  isUnanswered,
  parseClarificationId,
  retryState,
} from "./schema.ts";
import { scopeOf } from "./scope.ts";
import type { AgentStatusStore } from "./status.ts";
import { HUB, markAbandoned, markEscalated, markStale } from "./transitions.ts";
import { chooseEscalation } from "./wait_graph.ts";

/** What the monitor works with. All of it is made by `openWorkspace`. */
export interface ClarificationMonitorOptions {
  /** Where clarifications are kept. */
  ledger: ClarificationLedger;
  /** Who works on what. */
  status: AgentStatusStore;
  /** Hears of every change, after it is written. */
  events: AgentEventBus;
  /** The workflow of an issue. */
  workflowOf: (issueNumber: number) => Workflow;
  /**
   * Hears of what was done and what failed without harm, one sentence each.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
  /**
   * From this likeness on, 0 to 1, two texts count as the same.
   *
   * @default {0.9}
   */
  sameFrom?: number;
  /**
   * Wall clock, in milliseconds since the epoch.
   *
   * @default {Date.now}
   */
  now?: () => number;
}

/** What one check has done. */
export interface MonitorReport {
  /** Became stale: one retry is owed to each. */
  stale: ClarificationRecord[];
  /** Escalated: overdue for the second time. */
  overdue: ClarificationRecord[];
  /** Escalated: going round in circles. */
  stuck: ClarificationRecord[];
  /** Escalated: to break a deadlock. */
  deadlocked: ClarificationRecord[];
  /** Given up: the requester works on another issue. */
  abandoned: ClarificationRecord[];
  /** Ledgers that could not be read. */
  problems: AgentxError[];
}

/** How many clarifications wait for what. */
export interface MonitorSummary {
  /** Open, and no human was asked. */
  active: number;
  /** Overdue, once or twice. */
  stale: number;
  /** Going round in circles. */
  stuck: number;
  /** To be escalated, so that nobody waits in a circle. */
  deadlocked: number;
}

/** Looks after clarifications (SPEC-1 section 3.4). */
export class ClarificationMonitor {
  readonly #options: Required<ClarificationMonitorOptions>;
  readonly #announcer: Announcer;

  /**
   * Makes a monitor.
   *
   * @param options the parts it works with
   */
  constructor(options: ClarificationMonitorOptions) {
    const { notify = () => {}, sameFrom = SAME_FROM, now = Date.now } = options;
    this.#options = { ...options, notify, sameFrom, now };
    this.#announcer = new Announcer(this.#options);
  }

  /**
   * Looks at all clarifications, and acts where somebody has to.
   *
   * @returns what was done
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async runCheck(): Promise<MonitorReport> {
    const scan = this.#scan();
    const { problems } = scan;
    const open = scan.open.filter(isLookedAfter);
    const report: MonitorReport = {
      stale: [],
      overdue: [],
      stuck: [],
      deadlocked: [],
      abandoned: await this.#abandon(open),
      problems,
    };
    const done = new Set(report.abandoned.map(({ id }) => id));
    const left = () => open.filter(({ id }) => !done.has(id));
    const escalate = async (ids: Map<string, string>, due: Due) => {
      const records = await this.#escalateAll(ids, due);
      records.forEach(({ id }) => done.add(id));
      return records;
    };
    report.deadlocked = await escalate(findDeadlocks(left()), isUnanswered);
    report.stuck = await escalate(findStuck(left(), this.#options.sameFrom), isOpen);
    report.overdue = await escalate(
      findOverdueTwice(left(), this.#options.now()),
      (record) => isOverdue(record, this.#options.now()),
    );
    const isFirstTime = (record: ClarificationRecord) =>
      record.status === "pending" && isOverdue(record, this.#options.now());
    for (const { id } of left().filter(isFirstTime)) {
      if (await this.#makeStale(id)) report.stale.push(this.#options.ledger.getById(id));
    }
    return report;
  }

  /**
   * Breaks the deadlock of two clarifications: the one of the upstream agent goes on.
   *
   * @param clrA one of them
   * @param clrB the other
   * @returns the ids: which was escalated, and which goes on
   * @throws {RangeError} if the two are one
   */
  async breakDeadlock(
    clrA: ClarificationRecord,
    clrB: ClarificationRecord,
  ): Promise<{ escalated: string; continued: string }> {
    const { keep, escalate } = chooseEscalation([clrA, clrB]);
    if (keep === null) throw new RangeError("Cannot break a deadlock of one clarification");
    await this.#escalateAll(new Map([[escalate.id, describeCycle([clrA, clrB])]]), isUnanswered);
    return { escalated: escalate.id, continued: keep.id };
  }

  /**
   * Counts, and changes nothing.
   *
   * @returns how many clarifications wait for what
   */
  getSummary(): MonitorSummary {
    const { open: records } = this.#scan();
    return {
      active: records.length,
      stale:
        records.filter((record) =>
          record.status === "stale" || isOverdue(record, this.#options.now())
        ).length,
      stuck: findStuck(records, this.#options.sameFrom).size,
      deadlocked: findDeadlocks(records).size,
    };
  }

  /**
   * Tells the clarifications that somebody should look at.
   *
   * @returns those that are overdue, stale, or going round in circles
   */
  findTroubled(): ClarificationRecord[] {
    const { open: records } = this.#scan();
    const stuck = findStuck(records, this.#options.sameFrom);
    return records.filter((record) =>
      record.status === "stale" || isOverdue(record, this.#options.now()) || stuck.has(record.id)
    );
  }

  #scan(): { open: ClarificationRecord[]; problems: AgentxError[] } {
    const { ledgers, problems } = this.#options.ledger.scan();
    return {
      open: ledgers.flatMap(({ clarifications }) => clarifications).filter(isOpen),
      problems,
    };
  }

  async #escalateAll(reasons: Map<string, string>, due: Due): Promise<ClarificationRecord[]> {
    const { ledger, now, notify } = this.#options;
    const escalated: ClarificationRecord[] = [];
    for (const [id, reason] of reasons) {
      let isDue = false;
      const record = await ledger.change(id, HUB, (record) => {
        isDue = due(record);
        if (isDue) markEscalated(record, { by: HUB, body: reason, nowMs: now() });
      });
      if (!isDue) continue;
      await this.#announcer.announce("clarification-escalated", record);
      notify(`${id} is escalated: ${reason}`);
      escalated.push(record);
    }
    return escalated;
  }

  async #makeStale(id: string): Promise<boolean> {
    const { ledger, workflowOf, now, notify } = this.#options;
    let isDue = false;
    const record = await ledger.change(id, HUB, (record) => {
      isDue = record.status === "pending" && isOverdue(record, this.#options.now());
      if (!isDue) return;
      const workflow = workflowOf(parseClarificationId(id).issueNumber);
      markStale(record, now(), scopeOf(workflow, record.from).slaMinutes);
    });
    if (!isDue) return false;
    await this.#announcer.announce("clarification-stale", record);
    notify(`${id} is stale: ${record.to} has not answered in time; ${retryState(record)}`);
    return true;
  }

  async #abandon(open: readonly ClarificationRecord[]): Promise<ClarificationRecord[]> {
    const { ledger, status, events, now, notify } = this.#options;
    const bases = status.ownBases();
    const abandoned: ClarificationRecord[] = [];
    for (const { id } of open.filter((record) => hasMovedOn(record, bases.get(record.from)))) {
      let isDue = false;
      let oldState = "";
      const record = await ledger.change(id, HUB, (record) => {
        isDue = isOpen(record);
        oldState = record.status;
        if (isDue) markAbandoned(record);
      });
      if (!isDue) continue;
      await status.refresh();
      events.emit("state-change", {
        source: id,
        oldState,
        newState: "abandoned",
        timestamp: now(),
      });
      notify(`${id} is abandoned: ${record.from} works on another issue`);
      abandoned.push(record);
    }
    return abandoned;
  }
}

/** Whether the reason to act still holds, on fresh data. */
type Due = (record: ClarificationRecord) => boolean;
