// When a scheduled task is due. Pure.
//
// A task is due once the first time after its last run has come, however many have passed: a missed run happens once.
// So a clock that is set back fires nothing again. A time that a clock shows twice on the day when it is set back
// counts once, unless the expression means every hour.

import { Cron } from "croner";

/** A scheduled task. */
export interface Schedule {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** The words of a command of agentx, such as `["digest"]`. */
  run: string[];
  /** Whether it runs at all. */
  enabled: boolean;
  /** Such as `Europe/Berlin`. */
  timeZone: string;
  /** Its purpose; may be empty. */
  description: string;
  /** A run that takes longer is ended. */
  timeoutMinutes: number;
}

const HOUR_MS = 60 * 60_000;

/** The first time after another, in milliseconds since the epoch; undefined for none. */
export function nextTime(schedule: Pick<Schedule, "cron" | "timeZone">, afterMs: number) {
  const { cron, timeZone } = schedule;
  const pattern = new Cron(cron, { timezone: timeZone, paused: true });
  const isHourly = cron.split(/ +/)[1].startsWith("*");
  for (let next = pattern.nextRun(new Date(afterMs)); next; next = pattern.nextRun(next)) {
    if (isHourly || !isSecond(next.getTime(), timeZone)) return next.getTime();
  }
  return undefined;
}

/** Why nothing can be made of an expression and a time zone; undefined where it can. */
export function whyNoTime(schedule: Pick<Schedule, "cron" | "timeZone">): string | undefined {
  try {
    const isEver = nextTime(schedule, 0) !== undefined;
    return isEver ? undefined : "its expression names no time that ever comes";
  } catch (error) {
    return error instanceof Error ? error.message.split(/[.:] /).slice(0, 3).join(": ") : undefined;
  }
}

/** Whether the clocks of a zone showed the same an hour before. */
function isSecond(timeMs: number, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return format.format(timeMs) === format.format(timeMs - HOUR_MS);
}
