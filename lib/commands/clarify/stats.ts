import { renderStats } from "../../clarify/render/stats.ts";
import { clarificationStats } from "../../clarify/stats.ts";
import { defineCommand } from "../../cli/command.ts";
import { noteProblems } from "../../cli/note.ts";
import { AgentxError } from "../../base/errors.ts";
import { gateFigures } from "../../gate/render/stats.ts";
import { type GateStats, gateStats } from "../../gate/stats.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

export const command = defineCommand({
  kind: "clarification.stats",
  examples: ["agentx clarify stats", "agentx clarify stats --json"],
  async run(context) {
    const state = await context.openState();
    const { clarifications, ledgers, problems } = await runMonitorIfNeeded(state, context.signal);
    const asked = ledgers.map(({ issueNumber }) => issueNumber);
    const gate = await statsOfGate(state, asked, problems);
    const exitCode = noteProblems(context.io, problems);
    return { output: { stats: clarificationStats(clarifications), gate }, exitCode };
  },
  render: ({ stats, gate }, view) =>
    renderStats(stats, view, gate === null ? [] : gateFigures(gate)),
});

/** Null where what was asked cannot be read. */
async function statsOfGate(
  { issueStore, gate }: WorkspaceState,
  asked: readonly number[],
  problems: AgentxError[],
): Promise<GateStats | null> {
  const { issues } = (await issueStore()).scan();
  try {
    const interactions = await gate().list();
    return gateStats(interactions, [...asked, ...issues.map(({ number }) => number)]);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    problems.push(error);
    return null;
  }
}
