// Computes when a scheduled task is due. Pure.
//
// A task is due when the first scheduled time after its last run has passed. However many times were missed, the task
// runs once. So a clock that is set back does not run a task again. A time that occurs twice on the day when clocks are
// set back counts once, unless the expression matches every hour.

import { Cron } from "croner";

/** A scheduled task. */
export interface Schedule {
  /** A cron expression: minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** The words of an agentx command, such as `["digest"]`. */
  run: string[];
  /** Whether the task runs at all. */
  enabled: boolean;
  /** The time zone of the expression, such as `Europe/Berlin`. */
  timeZone: string;
  /** The purpose of the task; may be empty. */
  description: string;
  /** A longer run is ended. */
  timeoutMinutes: number;
}

const HOUR_MS = 60 * 60_000;

/** Returns the first scheduled time after another time, in milliseconds since the epoch; undefined if there is none. */
export function nextTime(schedule: Pick<Schedule, "cron" | "timeZone">, afterMs: number) {
  const { cron, timeZone } = schedule;
  const pattern = new Cron(cron, { timezone: timeZone, paused: true });
  const isHourly = cron.split(/ +/)[1].startsWith("*");
  for (let next = pattern.nextRun(new Date(afterMs)); next; next = pattern.nextRun(next)) {
    if (isHourly || !isSecond(next.getTime(), timeZone)) return next.getTime();
  }
  return undefined;
}

/** Returns why an expression and a time zone have no next time; undefined if they have one. */
export function whyNoTime(schedule: Pick<Schedule, "cron" | "timeZone">): string | undefined {
  try {
    const isEver = nextTime(schedule, 0) !== undefined;
    return isEver ? undefined : "its expression names no time that ever comes";
  } catch (error) {
    return error instanceof Error ? error.message.split(/[.:] /).slice(0, 3).join(": ") : undefined;
  }
}

/** Whether the clocks of a time zone showed the same time an hour earlier. */
function isSecond(timeMs: number, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return format.format(timeMs) === format.format(timeMs - HOUR_MS);
}
