// Turns a failure of memory into a warning, so that no session ends because of it.

import { AgentxError, hasCode } from "../base/errors.ts";

/** Runs an action; after a failure, warns about the skipped work and returns the fallback. */
export type WarnOnFailure = <Value>(
  what: string,
  fallback: Value,
  action: () => Value | Promise<Value>,
) => Promise<Value>;

/** Returns a function that reports each failure in one sentence, bugs of agentx included. */
export function warnOnFailure(notify: (message: string) => void): WarnOnFailure {
  return async (what, fallback, action) => {
    try {
      return await action();
    } catch (error) {
      notify(`Memory ${what} skipped: ${reasonOf(error)}`);
      return fallback;
    }
  };
}

/** Returns why something failed, and what to do, on one line; a bug is named as one. */
export function reasonOf(error: unknown): string {
  if (hasCode(error, "LOCK_TIMEOUT")) return `lock timeout on ${error.details.path}`;
  if (error instanceof AgentxError) return error.oneLine;
  return `${String(error)} (this is a bug in agentx; please report it)`;
}
