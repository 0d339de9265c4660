/**
 * What follows from a change of a ledger, in this order: the statuses, then the event.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import type { AgentEventBus, EventMap } from "../events/bus.ts";
import { askerOf, type ClarificationRecord, parseClarificationId } from "./schema.ts";
import type { AgentStatusStore } from "./status.ts";

/** Events that describe a clarification (SPEC-1 section 12.2). */
export type ClarificationEventName = Extract<keyof EventMap, `clarification-${string}`>;

/** Who is told. */
export interface AnnouncerOptions {
  /** Follows the ledger. */
  status: AgentStatusStore;
  /** Hears of every change, after it is written. */
  events: AgentEventBus;
  /** Hears of what failed without harm, one sentence each. */
  notify: (message: string) => void;
  /** Wall clock, in milliseconds since the epoch. */
  now: () => number;
}

/** Tells of changes that are on disk. */
export class Announcer {
  readonly #options: AnnouncerOptions;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /**
   * @param name what happened
   * @param record the clarification as it was written
   * @param derive how the statuses follow; left out, from the ledgers
   */
  async announce(
    name: ClarificationEventName,
    record: ClarificationRecord,
    derive: () => Promise<unknown> = () => this.#options.status.refresh(),
  ): Promise<void> {
    const { notify } = this.#options;
    try {
      await derive();
    } catch (error) {
      // They follow from the ledgers: the next writer derives them again.
      if (!(error instanceof AgentxError)) throw error;
      notify(`The agent statuses were not updated: ${error.summary}`);
    }
    this.#emit(name, record);
  }

  /**
   * The same for several at once: the statuses follow from all of them together.
   *
   * @param name what happened to each
   * @param records the clarifications as they were written, at least one
   */
  async announceAll(
    name: ClarificationEventName,
    [first, ...others]: readonly ClarificationRecord[],
  ): Promise<void> {
    await this.announce(name, first);
    for (const record of others) this.#emit(name, record);
  }

  #emit(name: ClarificationEventName, record: ClarificationRecord): void {
    const { events, now } = this.#options;
    events.emit(name, {
      clarificationId: record.id,
      issueNumber: parseClarificationId(record.id).issueNumber,
      fromAgent: askerOf(record),
      toAgent: record.to,
      topic: record.topic,
      blocking: record.blocking,
      timestamp: now(),
    });
  }
}
