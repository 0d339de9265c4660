// Figures about the gate: how rarely a human is disturbed (seed 004, "Autonomy Preserved"). Pure.

import type { GateInteraction, GateOutcome } from "./interaction.ts";

/** Figures about questions to the human. */
export interface GateStats {
  /** Issues that are known here, asked about or not. */
  tasks: number;
  /** Those for which a human was asked. */
  asked: number;
  /** The share of these in those, from 0 to 1; null where there are no tasks. */
  share: number | null;
  /** What the share should stay below. */
  target: number;
  /** How the questions ended; those that are open count as `pending`. */
  outcomes: Record<GateOutcome | "pending", number>;
  /** Questions that a standing answer answered: nobody was asked. */
  standing: number;
}

/** Less than one task in twenty. */
const TARGET = 0.05;

export function gateStats(
  interactions: readonly GateInteraction[],
  issues: Iterable<number>,
): GateStats {
  const tasks = new Set(issues);
  const outcomes = { pending: 0, human: 0, timeout: 0, declined: 0, cancelled: 0 };
  const asked = new Set<number>();
  for (const { outcome, standing, request: { issue } } of interactions) {
    tasks.add(issue);
    if (standing !== null) continue;
    asked.add(issue);
    outcomes[outcome ?? "pending"]++;
  }
  return {
    tasks: tasks.size,
    asked: asked.size,
    share: tasks.size === 0 ? null : asked.size / tasks.size,
    target: TARGET,
    outcomes,
    standing: interactions.filter(({ standing }) => standing !== null).length,
  };
}
