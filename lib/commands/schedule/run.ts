import { type CommandEntry, defineCommand } from "../../cli/command.ts";
import { terminalBlock } from "../../text/text.ts";
import { refuseForeign, schedulerOf } from "./input.ts";
import { noteWrongLines } from "./wrong_lines.ts";

export const command = (commands: readonly CommandEntry[]) =>
  defineCommand({
    kind: "schedule.run",
    examples: ["agentx schedule run"],
    async run(context) {
      await refuseForeign(context);
      const scheduler = await schedulerOf(context);
      await noteWrongLines(context.io, scheduler.list(), commands);
      const runs = await scheduler.runDue({ signal: context.signal });
      return { output: { runs }, exitCode: runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1 };
    },
    render({ runs }, { style, width }) {
      if (runs.length === 0) return "  Nothing is due.";
      return runs.flatMap(({ id, exitCode, output }) => [
        `  ${style.bold(id)}  ${exitCode === 0 ? style.green("done") : style.red("failed")}`,
        ...terminalBlock(output, { indent: "    ", width }),
      ]).join("\n");
    },
  });
