import { factsSince } from "../workspace/figures.ts";
import { defineCommand } from "../cli/command.ts";
import { noteProblems } from "../cli/note.ts";
import { optional, rule, type Spec } from "../cli/spec.ts";
import { sys } from "../sys/mod.ts";
import { weeklyFigures } from "../work/figures/figures.ts";
import { weeksBefore } from "../work/figures/iso_week.ts";
import { renderWeeklyFigures } from "../work/figures/render.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";

const MAX_WEEKS = 53;

const weekCount: Spec<number> = {
  ...rule(
    (text) => /^[1-9]\d?$/.test(text) && Number(text) <= MAX_WEEKS,
    `be a number from 1 to ${MAX_WEEKS}`,
  ),
  description: "How many weeks, with the current one (default: 4)",
  placeholder: "N",
  json: { type: "integer", minimum: 1, maximum: MAX_WEEKS },
  read: Number,
};

export const command = defineCommand({
  kind: "stats",
  examples: ["agentx stats", "agentx stats --weeks 12 --json"],
  input: { weeks: optional(weekCount) },
  async run(context, { weeks = 4 }) {
    const workspace = await context.openWorkspace();
    await runMonitorIfNeeded(workspace, context.signal);
    const nowMs = sys.now();
    const startMs = weeksBefore(nowMs, weeks - 1);
    const { facts, problems } = await factsSince(workspace, startMs);
    const stats = weeklyFigures(facts, { startMs, nowMs });
    return { output: { stats }, exitCode: noteProblems(context.io, problems) };
  },
  render: ({ stats }, view) => renderWeeklyFigures(stats, view),
});
