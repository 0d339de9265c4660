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

/**
 * The kind of thread entry that causes each event. An event without an entry comes from the hub: it alone sees that
 * time has run out.
 */
const ENTRIES: Partial<Record<ClarificationEventName, ThreadEntryType>> = {
  "clarification-requested": "question",
  "clarification-answered": "answer",
  "clarification-resolved": "resolution",
  "clarification-escalated": "escalation",
};

/** A clarification, with the deadlock if its escalation breaks one. */
export type PublishedRecord = ClarificationRecord & Pick<ClarificationEvent, "deadlock">;

/** Publishes changes that are on disk. `activity` names the acting agent, if the agent's base changes with the act. */
export type Publish = (
  name: ClarificationEventName,
  records: readonly PublishedRecord[],
  activity?: AgentActivity,
) => Promise<void>;

export interface PublisherOptions {
  /** The agent statuses, which follow the ledger. */
  status: AgentStatusStore;
  /** Receives an event for each change, after the change is written. */
  events: AgentEventBus;
  /** Called with one sentence for each harmless failure. */
  notify: (message: string) => void;
}

export function publisher({ status, events, notify }: PublisherOptions): Publish {
  return async (name, records, activity) => {
    try {
      await status.refresh(activity);
    } catch (error) {
      // The statuses follow from the ledgers, so the next writer derives them again.
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
