import { type CommandEntry, defineCommand } from "../cli/command.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import { minuteOf } from "../base/time.ts";
import { shellLine } from "../base/quote.ts";
import { schedulerOf } from "./schedule/input.ts";
import { noteWrongLines } from "./schedule/wrong_lines.ts";

export const command = (commands: readonly CommandEntry[]) =>
  defineCommand({
    kind: "schedule.list",
    examples: ["agentx schedule", "agentx schedule --json"],
    async run(context) {
      const tasks = (await schedulerOf(context)).list();
      await noteWrongLines(context.io, tasks, commands);
      return { output: { tasks } };
    },
    render({ tasks }, { style, width }) {
      if (tasks.length === 0) return "  Nothing is scheduled: .agentx/schedules.json has no tasks.";
      const block = (text: string) =>
        text === "" ? [] : terminalBlock(terminalLine(text), { indent: "    ", width });
      return tasks.flatMap(({ id, cron, timeZone, run, last, next, description }) => [
        `  ${style.bold(id)}  ${next === null ? "off" : `next ${minuteOf(next)} UTC`}, ` +
        `last ${last === null ? "never" : `${minuteOf(last)} UTC`}`,
        ...block(`${cron} ${timeZone}, agentx ${shellLine(run)}`),
        ...block(description),
      ]).join("\n");
    },
  });
