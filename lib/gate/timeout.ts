// How long a human has. Pure.

import { invalidInput } from "../base/input_checks.ts";
import { parseDuration } from "../base/time.ts";

/** The longest wait; `never` means that nothing is done without an answer. */
const MAX_MS = 31 * 24 * 3_600_000;

/**
 * Milliseconds of `90s`, `5m` or `2h`; null for `never`, undefined where it is not written like
 * that.
 */
export function parseTimeout(timeout: string): number | null | undefined {
  if (timeout === "never") return null;
  const ms = parseDuration(timeout) ?? 0;
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}

/** Like {@linkcode parseTimeout}; throws `INVALID_INPUT` instead. */
export function checkTimeout(timeout: string): number | null {
  const ms = parseTimeout(timeout);
  if (ms !== undefined) return ms;
  throw invalidInput("timeout", timeout, "it must be a time such as 90s, 5m or 2h, or never");
}

/** The longer of two such times; never shortens what the settings give the human. */
export function longerTimeout(given: string, setting: string): string {
  const [givenMs, settingMs] = [checkTimeout(given), checkTimeout(setting)];
  return givenMs === null || settingMs !== null && givenMs >= settingMs ? given : setting;
}

/** A time as the block says it: `5 minutes`. */
export function inWords(ms: number): string {
  const units = { hour: 3_600_000, minute: 60_000, second: 1_000, millisecond: 1 };
  const [unit, unitMs] = Object.entries(units).find(([, unitMs]) => ms % unitMs === 0)!;
  return `${ms / unitMs} ${unit}${ms === unitMs ? "" : "s"}`;
}
