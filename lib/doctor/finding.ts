// One finding of the doctor.

import { AgentxError } from "../base/errors.ts";

/** One line of the doctor's report. */
export interface Finding {
  /** The subject of the check, in one or two words. */
  check: string;
  /** `warn`: something works, but needs attention. `fail`: something does not work. */
  level: "ok" | "warn" | "fail";
  /** The result, without a final period. It may quote untrusted text. */
  message: string;
  /** What the user can do; null if there is nothing to do. */
  next: string | null;
  isFixed: boolean;
}

/** Returns a finding that all is well. */
export function ok(check: string, message: string): Finding {
  return { check, level: "ok", message, next: null, isFixed: false };
}

/** Returns a finding that something was repaired. */
export function fixed(check: string, message: string): Finding {
  return { ...ok(check, message), isFixed: true };
}

/** Returns a finding that a human should look at. */
export function warn(check: string, message: string, next: string): Finding {
  return { check, level: "warn", message, next, isFixed: false };
}

/** Returns a finding that something does not work. */
export function fail(check: string, message: string, next: string): Finding {
  return { check, level: "fail", message, next, isFixed: false };
}

/** Turns an expected error into a finding with its words; rethrows a bug. */
export function failure(check: string, error: unknown): Finding {
  if (!(error instanceof AgentxError)) throw error;
  return { ...ok(check, error.summary), level: "fail", next: error.next ?? null };
}
