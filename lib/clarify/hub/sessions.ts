// Checks which session acts at the hub: no session acts as the hub itself, and no two sessions act under one name.

import { hasCode } from "../../base/errors.ts";
import type { HubParts } from "./hub_parts.ts";
import { refuseHub } from "./refusals.ts";
import type { ClarificationRecord } from "../schema.ts";

/** The agent or human that acts, with the host session if the host shows one. */
export interface ActingSession {
  by: string;
  session: string | undefined;
}

/**
 * Checks acting sessions against the status file. A status file that cannot be read stops no question, because it is
 * derived from the ledgers.
 */
export class Sessions {
  readonly #parts: Pick<HubParts, "status" | "notify">;

  constructor(parts: Pick<HubParts, "status" | "notify">) {
    this.#parts = parts;
  }

  /**
   * Checks that a session may act under its name. Throws `INVALID_TRANSITION` for the name of the hub; `INVALID_INPUT`
   * if another session has the name.
   */
  async check(record: ClarificationRecord, action: string, acting: ActingSession): Promise<void> {
    refuseHub(record, action, acting.by);
    await this.checkName(acting);
  }

  /** Throws `INVALID_INPUT` if another session has the name. */
  async checkName({ by, session }: ActingSession): Promise<void> {
    try {
      await this.#parts.status.checkName(by, session);
    } catch (error) {
      this.#noteUnreadable(error);
    }
  }

  /** Whether a session is gone, so that other sessions of its role may act on its questions. */
  readonly isGone = (session: string): boolean => {
    try {
      return this.#parts.status.isGone(session);
    } catch (error) {
      this.#noteUnreadable(error);
      return false;
    }
  };

  #noteUnreadable(error: unknown): void {
    if (!hasCode(error, "CORRUPT_STATE") && !hasCode(error, "IO_ERROR")) throw error;
    this.#parts.notify(error.summary);
  }
}
