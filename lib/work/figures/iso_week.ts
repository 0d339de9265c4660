// ISO 8601 weeks in UTC. A week begins on Monday; the first week of a year contains the first Thursday of that year.
// Pure.

import { DAY_MS } from "../../base/time.ts";

/** An ISO week. */
export interface IsoWeek {
  /** The ISO year of the week. Some days of the week may be in another calendar year. */
  year: number;
  /** From 1 to 52 or 53. */
  week: number;
}

const WEEK_MS = 7 * DAY_MS;
const FORM = /^(\d{4})-W(\d{2})$/;

/** Returns the week of a time, in milliseconds since the epoch. */
export function isoWeekOf(ms: number): IsoWeek {
  const thursdayMs = mondayOf(ms) + 3 * DAY_MS;
  const year = new Date(thursdayMs).getUTCFullYear();
  return { year, week: 1 + Math.trunc((thursdayMs - Date.UTC(year, 0, 1)) / WEEK_MS) };
}

/** Returns when a week and the next one begin, in milliseconds since the epoch. */
export function weekBounds({ year, week }: IsoWeek): { startMs: number; endMs: number } {
  // The fourth of January is always in the first week.
  const startMs = mondayOf(Date.UTC(year, 0, 4)) + (week - 1) * WEEK_MS;
  return { startMs, endMs: startMs + WEEK_MS };
}

/** Parses a week such as `2026-W09`. Returns undefined if the text has another form or the year has no such week. */
export function parseIsoWeek(text: string): IsoWeek | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const week = { year: Number(match[1]), week: Number(match[2]) };
  return formatIsoWeek(isoWeekOf(weekBounds(week).startMs)) === text ? week : undefined;
}

/** Formats a week as `2026-W09`. */
export function formatIsoWeek({ year, week }: IsoWeek): string {
  return `${String(year).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

function mondayOf(ms: number): number {
  const dayMs = Math.floor(ms / DAY_MS) * DAY_MS;
  return dayMs - (new Date(dayMs).getUTCDay() + 6) % 7 * DAY_MS;
}

/** Returns when the week begins that is `weeks` weeks before the week of `nowMs`. */
export function weeksBefore(nowMs: number, weeks: number): number {
  const { startMs, endMs } = weekBounds(isoWeekOf(nowMs));
  return startMs - weeks * (endMs - startMs);
}
