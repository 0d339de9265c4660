/**
 * Spans of time as people read them. Pure.
 *
 * @module
 */

/**
 * @param ms a span of time in milliseconds
 * @returns it in its largest unit, rounded down: `45s`, `3m`, `2h`, `5d`; `0s` for less than nothing
 */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.trunc(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.trunc(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.trunc(seconds / 3_600)}h`;
  return `${Math.trunc(seconds / 86_400)}d`;
}
