// Figures about the gate. Pure.

import type { Figure } from "../../clarify/render/stats.ts";
import type { GateStats } from "../stats.ts";

/** The figures in words; nothing where no human was ever asked. */
export function gateFigures(
  { tasks, asked, share, target, outcomes, standing }: GateStats,
): Figure[] {
  if (asked + standing === 0) return [];
  const percent = (part: number) => `${Math.round(1_000 * part) / 10}%`;
  const ended = Object.entries(outcomes).filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${outcome} ${count}`);
  const standings = standing === 0 ? [] : [`standing answer ${standing}`];
  return [
    {
      label: "Tasks that asked a human",
      value: `${asked} of ${tasks} (${percent(share ?? 0)}, target under ${percent(target)})`,
    },
    { label: "Their questions", value: [...ended, ...standings].join(", ") },
  ];
}
