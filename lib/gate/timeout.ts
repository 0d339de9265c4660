// How long a human has to answer. Pure.

import { invalidInput } from "../base/input_checks.ts";
import { parseDuration } from "../base/time.ts";

/** The longest time to answer, except `never`, which means that nothing is done without an answer. */
const MAX_MS = 31 * 24 * 3_600_000;

/** Returns the milliseconds of `90s`, `5m` or `2h`; null for `never`; undefined for any other text. */
export function parseTimeout(timeout: string): number | null | undefined {
  if (timeout === "never") return null;
  const ms = parseDuration(timeout) ?? 0;
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}

/** Like {@linkcode parseTimeout}, but throws `INVALID_INPUT` for any other text. */
export function checkTimeout(timeout: string): number | null {
  const ms = parseTimeout(timeout);
  if (ms !== undefined) return ms;
  throw invalidInput("timeout", timeout, "it must be a time such as 90s, 5m or 2h, or never");
}

/** Returns the longer of two times, so an agent cannot shorten the time in the settings. */
export function longerTimeout(given: string, setting: string): string {
  const [givenMs, settingMs] = [checkTimeout(given), checkTimeout(setting)];
  return givenMs === null || settingMs !== null && givenMs >= settingMs ? given : setting;
}

/** Returns a time in the words of the block: `5 minutes`. */
export function inWords(ms: number): string {
  const units = { hour: 3_600_000, minute: 60_000, second: 1_000, millisecond: 1 };
  const [unit, unitMs] = Object.entries(units).find(([, unitMs]) => ms % unitMs === 0)!;
  return `${ms / unitMs} ${unit}${ms === unitMs ? "" : "s"}`;
}
