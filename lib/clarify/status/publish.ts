// Publishes a change of a ledger, in this order: the statuses, then the event.

import { HUB } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import type { AgentEventBus, ClarificationEvent, EventMap } from "../../events/bus.ts";
import { sys } from "../../sys/mod.ts";
import {
  askerOf,
  type ClarificationRecord,
  issueNumberOf,
  lastEntry,
  type ThreadEntryType,
} from "../schema.ts";
import type { AgentStatusStore } from "./status.ts";
import type { AgentActivity } from "./status_file.ts";

/** Events that describe a clarification (SPEC-1 section 12.2). */
export type ClarificationEventName = Extract<keyof EventMap, `clarification-${string}`>;

/** The entry of a thread by which an event came about; only the hub sees that time has run out. */
const ENTRIES: Partial<Record<ClarificationEventName, ThreadEntryType>> = {
  "clarification-requested": "question",
  "clarification-answered": "answer",
  "clarification-resolved": "resolution",
  "clarification-escalated": "escalation",
};

/** A clarification, and the deadlock that its escalation breaks. */
export type PublishedRecord = ClarificationRecord & Pick<ClarificationEvent, "deadlock">;

/**
 * Publishes changes that are on disk; `activity` says which agent did it, where its base follows
 * from it.
 */
export type Publish = (
  name: ClarificationEventName,
  records: readonly PublishedRecord[],
  activity?: AgentActivity,
) => Promise<void>;

export interface PublisherOptions {
  /** Follows the ledger. */
  status: AgentStatusStore;
  /** Hears of every change, after it is written. */
  events: AgentEventBus;
  /** Hears of what failed without harm, one sentence each. */
  notify: (message: string) => void;
}

export function publisher({ status, events, notify }: PublisherOptions): Publish {
  return async (name, records, activity) => {
    try {
      await status.refresh(activity);
    } catch (error) {
      // They follow from the ledgers: the next writer derives them again.
      if (!(error instanceof AgentxError)) throw error;
      notify(`The agent statuses were not updated: ${error.summary}`);
    }
    const entry = ENTRIES[name];
    for (const record of records) {
      events.emit(name, {
        clarificationId: record.id,
        issueNumber: issueNumberOf(record.id),
        fromAgent: askerOf(record),
        toAgent: record.to,
        agent: (entry && lastEntry(record, entry)?.from) ?? HUB,
        topic: record.topic,
        blocking: record.blocking,
        round: record.round,
        status: record.status,
        ...record.deadlock && { deadlock: record.deadlock },
        timestamp: sys.now(),
      });
    }
  };
}
