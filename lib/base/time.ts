// Times and durations in the forms of files and people. Pure.

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** Returns a time in the form of files: ISO-8601, UTC. */
export function isoTime(time: string | number): string {
  return new Date(time).toISOString();
}

/** Returns the day in UTC of a time in milliseconds: `2026-07-24`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns a time to the minute, in UTC: `2026-07-24 09:30`. */
export function minuteOf(time: string | number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}

/** Returns a duration in its largest unit, rounded down: `45s`, `3m`, `2h`, `5d`; `0s` if negative. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.trunc(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.trunc(seconds / 60)}m`;
  if (ms < DAY_MS) return `${Math.trunc(seconds / 3_600)}h`;
  return `${Math.trunc(ms / DAY_MS)}d`;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Returns the milliseconds of a duration such as `1500ms`, `90s`, `5m` or `2h`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,7})(ms|s|m|h)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit];
}
