import { AgentxError } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { SCHEDULES_PATH } from "../../config/packages.ts";
import { installTimer, type Timer, timerFor } from "../../schedule/timer.ts";
import { terminalLine } from "../../text/text.ts";
import { rulingOn } from "../../who/surface.ts";
import { schedulerOf } from "./input.ts";

export const command = defineCommand({
  kind: "schedule.install",
  examples: ["agentx schedule install"],
  async run(context) {
    const { io } = context;
    const { root } = await context.openState();
    if ((await schedulerOf(context)).list().length === 0) {
      const summary = "Cannot install a timer: no task is scheduled, so there is nothing to run";
      throw new AgentxError("NOT_FOUND", summary, {
        details: { kind: "task", id: SCHEDULES_PATH },
        next: `Write one into ${SCHEDULES_PATH}; see docs/schedules.md`,
      });
    }
    const timer = timerFor(root);
    const canInstall = timer.kind !== null && whyNobodyIsAsked(io) === undefined;
    const question = `Install it with ${timer.kind}?`;
    const isInstalled = canInstall &&
      await agrees(io, question, () => renderTimer(timer), rulingOn("trust", io));
    if (isInstalled) await installTimer(timer);
    return { output: { ...timer, isInstalled, wasAsked: canInstall } };
  },
  render({ isInstalled, wasAsked, ...timer }, { style }) {
    if (!wasAsked) return renderTimer(timer);
    if (!isInstalled) return "  Nothing was installed.";
    const undo = timer.kind === "cron"
      ? "remove its line with: crontab -e"
      : `systemctl --user disable --now ${Object.keys(timer.units)[1]}`;
    return `  ${style.green("Installed")} by ${timer.kind}; to undo it, ${undo}`;
  },
});

function renderTimer({ cron, units }: Timer): string {
  const lines = Object.entries(units).flatMap(([name, text]) => [
    `  ${name}`,
    ...text.split("\n").map((line) => `    ${terminalLine(line)}`.trimEnd()),
  ]);
  return ["  A line of cron:", `    ${terminalLine(cron)}`, "  Or units of systemd:", ...lines]
    .join("\n").trimEnd();
}
