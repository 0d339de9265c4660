// The remedies of the monitor for its findings. Each remedy is decided again under the lock of the ledger, on fresh
// data.

import { HUB } from "../../base/agent_names.ts";
import type { Workflow } from "../../config/workflow.ts";
import type { AgentEventBus } from "../../events/bus.ts";
import { sys } from "../../sys/mod.ts";
import type { Reasons } from "./findings.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import { type Reach, retryState } from "../reach.ts";
import { type Publish, type PublishedRecord, publisher } from "../status/publish.ts";
import {
  type ClarificationRecord,
  isOpenRecord,
  isOverdue,
  issueNumberOf,
  isUnanswered,
} from "../schema.ts";
import { scopeOf } from "../rules/scope.ts";
import type { AgentStatusStore } from "../status/status.ts";
import { markAbandoned, markEscalated, markStale } from "../rules/transitions.ts";
import type { Deadlock, DeadlockedRecord } from "./wait_graph.ts";

/** The parts of the remedies. `openWorkspace` makes all of them. */
export interface RemediesOptions {
  ledger: ClarificationLedger;
  status: AgentStatusStore;
  /** Receives an event for each change, after the change is written. */
  events: AgentEventBus;
  workflowOf: (issueNumber: number) => Workflow;
  /** Finds the party that answers for an agent here. */
  reachOf: (agent: string) => Promise<Reach>;
  /** Called with one sentence for each remedy, and for each harmless failure. */
  notify: (message: string) => void;
}

/** Whether the reason to act still holds, on fresh data. */
type StillHolds = (record: ClarificationRecord) => boolean;

/** Changes the clarifications that the monitor found, and publishes the changes. */
export class Remedies {
  readonly #options: RemediesOptions;
  readonly #publish: Publish;

  constructor(options: RemediesOptions) {
    this.#options = options;
    this.#publish = publisher(options);
  }

  /** Escalates the clarifications with a reason that still holds. */
  async escalate(
    reasons: Reasons,
    stillHolds: StillHolds,
    asPublished: (record: ClarificationRecord) => PublishedRecord = (record) => record,
  ): Promise<ClarificationRecord[]> {
    const { notify } = this.#options;
    return await this.#changeAll(reasons, {
      change(record) {
        const holds = stillHolds(record);
        const body = reasons.get(record.id)!;
        if (holds) markEscalated(record, { by: HUB, body, nowMs: sys.now() });
        return holds;
      },
      publish: async (records) => {
        await this.#publish("clarification-escalated", records.map(asPublished));
        for (const { id } of records) notify(`${id} is escalated: ${reasons.get(id)}`);
      },
    });
  }

  /** Escalates the clarifications that break a deadlock, unless they were answered meanwhile. */
  async breakDeadlocks(deadlocks: ReadonlyMap<string, Deadlock>): Promise<DeadlockedRecord[]> {
    const reasons = new Map(Array.from(deadlocks, ([id, { reason }]) => [id, reason]));
    const withDeadlock = (record: ClarificationRecord) => ({
      ...record,
      deadlock: deadlocks.get(record.id)!,
    });
    const escalated = await this.escalate(reasons, isUnanswered, withDeadlock);
    return escalated.map(withDeadlock);
  }

  /** Marks clarifications as stale that are still pending and overdue. */
  async makeStale(reasons: Reasons): Promise<ClarificationRecord[]> {
    const { workflowOf, reachOf, notify } = this.#options;
    return await this.#changeAll(reasons, {
      change(record) {
        if (record.status !== "pending" || !isOverdue(record, sys.now())) return false;
        const workflow = workflowOf(issueNumberOf(record.id));
        markStale(record, sys.now(), scopeOf(workflow, record.from).slaMinutes);
        return true;
      },
      publish: async (records) => {
        await this.#publish("clarification-stale", records);
        for (const record of records) {
          const next = retryState(record, await reachOf(record.to));
          notify(`${record.id} is stale: ${reasons.get(record.id)}; ${next}`);
        }
      },
    });
  }

  /** Abandons the clarifications with a reason that still holds: another session may have resumed one. */
  async abandon(reasons: Reasons, stillHolds: StillHolds): Promise<ClarificationRecord[]> {
    const { status, events, notify } = this.#options;
    const oldStates = new Map<string, string>();
    return await this.#changeAll(reasons, {
      change(record) {
        const holds = isOpenRecord(record) && stillHolds(record);
        oldStates.set(record.id, record.status);
        if (holds) markAbandoned(record);
        return holds;
      },
      publish: async (records) => {
        await status.refresh();
        for (const { id: source } of records) {
          const oldState = oldStates.get(source)!;
          events.emit("state-change", {
            source,
            oldState,
            newState: "abandoned",
            timestamp: sys.now(),
          });
          const kept = oldState === "answered"
            ? `; its answer stays: agentx clarify ${source}`
            : "";
          notify(`${source} is abandoned: ${reasons.get(source)}${kept}`);
        }
      },
    });
  }

  /** Changes the ledgers one by one, and publishes the changes of each before it locks the next. */
  async #changeAll(reasons: Reasons, { change, publish }: Act): Promise<ClarificationRecord[]> {
    const { ledger } = this.#options;
    const all: ClarificationRecord[] = [];
    const issues = Array.from(reasons.keys(), (id) => issueNumberOf(id));
    for (const issue of new Set(issues)) {
      const changed = await ledger.changeAll(
        issue,
        HUB,
        (record) => reasons.has(record.id) && change(record),
      );
      if (changed.length > 0) await publish(changed);
      all.push(...changed);
    }
    return all;
  }
}

/** The remedy for the clarifications of one ledger. */
interface Act {
  /** Alters a record under the lock, and returns whether it did. */
  change: (record: ClarificationRecord) => boolean;
  /** Publishes the changed records, at least one. */
  publish: (records: readonly ClarificationRecord[]) => Promise<void>;
}
