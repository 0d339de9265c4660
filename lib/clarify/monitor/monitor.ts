// Looks after clarifications that make no progress: overdue, going round in circles, deadlocked, abandoned (SPEC-1
// section 3.4, ADR-1 decision 3). It is not a daemon: other commands run it as part of their work.
//
// The monitor marks, escalates and reports, and runs no agent. So a listing or a hook neither waits for an agent nor
// starts a program that a repository names. SPEC-1 2.4 lets the monitor run the target of a stale question; here
// `stale` means that one retry is left, and the hub runs it on request (`autoRetry` of the router).
//
// It ignores ledgers and status files that git tracks: somebody may have put them into the repository to make others
// act on them.
//
// A scan without locks gives the findings. Each remedy is decided again under the lock of the ledger, on fresh data. So
// several monitors at the same time act only once.

import type { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import {
  findAbandoned,
  findDeadlocks,
  findOverdueOnce,
  findOverdueTwice,
  findStuck,
} from "./findings.ts";
import { invalidTransition } from "../rules/invalid_transition.ts";
import type { LedgerScan } from "../ledger/ledger_files.ts";
import { Remedies, type RemediesOptions } from "./remedies.ts";
import type { DeadlockedRecord } from "./wait_graph.ts";
import { type ClarificationRecord, isLookedAfter, isOpenRecord, isOverdue } from "../schema.ts";

/** Maximum number of changes in one check, so that a hook does not wait long. The next command makes the rest. */
const MAX_CHANGES = 50;

/** The result of one check. */
export interface MonitorReport {
  /** Clarifications that became stale; each has one retry left. */
  stale: ClarificationRecord[];
  /** Clarifications that were escalated because they are overdue for the second time. */
  overdue: ClarificationRecord[];
  /** Clarifications that were escalated because they go round in circles. */
  stuck: ClarificationRecord[];
  /** Clarifications that were escalated to break a deadlock. Each names the requests that continue. */
  deadlocked: DeadlockedRecord[];
  /** Clarifications that were given up because the requester works on another issue. */
  abandoned: ClarificationRecord[];
  /** The problems of ledgers that could not be read. */
  problems: AgentxError[];
}

/** Marks, escalates and reports clarifications that do not move (SPEC-1 section 3.4). */
export class ClarificationMonitor {
  readonly #options: RemediesOptions;
  readonly #remedies: Remedies;

  /** Takes the ledger, the statuses and the other parts that the remedies change. */
  constructor(options: RemediesOptions) {
    this.#options = options;
    this.#remedies = new Remedies(options);
  }

  /**
   * Checks all clarifications, and acts on those without progress. A caller that has just made a scan can pass it, to
   * save another one.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async runCheck(scan: LedgerScan = this.#options.ledger.scan()): Promise<MonitorReport> {
    const { status } = this.#options;
    const open = scan.clarifications.filter(isLookedAfter);
    const done = new Set<string>();
    let left = 0;
    const openStill = () => open.filter(({ id }) => !done.has(id));
    const limited = <Found>(found: Map<string, Found>): Map<string, Found> => {
      const taken = [...found].slice(0, MAX_CHANGES - done.size);
      left += found.size - taken.length;
      for (const [id] of taken) done.add(id);
      return new Map(taken);
    };
    const abandoned = await this.#remedies.abandon(
      limited(findAbandoned(open, status.ownBases())),
      (record) => findAbandoned([record], status.ownBases()).size > 0,
    );
    const deadlocked = await this.#remedies.breakDeadlocks(limited(findDeadlocks(openStill())));
    const stuck = await this.#remedies.escalate(
      limited(findStuck(openStill())),
      isOpenRecord,
    );
    const overdue = await this.#remedies.escalate(
      limited(findOverdueTwice(openStill(), sys.now())),
      (record) => isOverdue(record, sys.now()),
    );
    const stale = await this.#remedies.makeStale(limited(findOverdueOnce(openStill(), sys.now())));
    if (left > 0) {
      this.#options.notify(
        `${left} clarifications are left for the next check: at most ${MAX_CHANGES} are changed at a time`,
      );
    }
    return { stale, overdue, stuck, deadlocked, abandoned, problems: scan.problems };
  }

  /**
   * Breaks the deadlock of two requests that wait for each other (SPEC-1 section 3.4). `runCheck` breaks deadlocks of
   * any number of requests.
   *
   * @throws {AgentxError} `NOT_FOUND`; `INVALID_TRANSITION` if the two do not wait for each other any more
   */
  async breakDeadlock(
    clrA: Pick<ClarificationRecord, "id">,
    clrB: Pick<ClarificationRecord, "id">,
  ): Promise<{ escalated: string; continued: string }> {
    const pair = [clrA, clrB].map(({ id }) => this.#options.ledger.getById(id));
    const found = findDeadlocks(pair.filter(isLookedAfter));
    const [escalated] = await this.#remedies.breakDeadlocks(found);
    if (escalated === undefined) {
      const [action, why] = [
        "break the deadlock of",
        `it and ${clrB.id} do not wait for each other`,
      ];
      throw invalidTransition(pair[0], action, why, "See who waits for whom: agentx clarify graph");
    }
    return { escalated: escalated.id, continued: escalated.deadlock.continued[0] };
  }

  /** Lists the clarifications that are overdue, stale, or going round in circles. */
  overdueOrStuck(): ClarificationRecord[] {
    const records = this.#options.ledger.scan().clarifications.filter(isOpenRecord);
    const stuck = findStuck(records);
    return records.filter((record) =>
      record.status === "stale" || isOverdue(record, sys.now()) || stuck.has(record.id)
    );
  }
}
