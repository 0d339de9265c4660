// The reader of cron expressions: only schedules load it.

export { Cron } from "croner";
