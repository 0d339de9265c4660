/**
 * What no failure of memory costs anybody: a session.
 *
 * @module
 */

import { AgentxError, hasCode } from "../base/errors.ts";

/** Does something; where it fails, a warning says what was skipped, and the other value stands for it. */
export type Quietly = <Value>(
  what: string,
  otherwise: Value,
  action: () => Value | Promise<Value>,
) => Promise<Value>;

/**
 * @param notify is told each failure in a sentence, also a bug of ours, which it calls a bug
 * @returns how something is done
 */
export function quietly(notify: (message: string) => void): Quietly {
  return async (what, otherwise, action) => {
    try {
      return await action();
    } catch (error) {
      notify(`Memory ${what} skipped: ${reasonOf(error)}`);
      return otherwise;
    }
  };
}

/** Why something failed, and what to do, on one line; a bug is told as one. */
export function reasonOf(error: unknown): string {
  if (hasCode(error, "LOCK_TIMEOUT")) return `lock timeout on ${error.details.path}`;
  if (error instanceof AgentxError) return error.oneLine;
  return `${String(error)} (this is a bug in agentx; please report it)`;
}
