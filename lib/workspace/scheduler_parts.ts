// Collects the parts of a workspace that scheduled tasks need.

import type { SchedulerOptions } from "../schedule/scheduler.ts";
import type { WorkspaceState } from "./state.ts";

export function schedulerParts(
  { root, config, records, trust, remote }: WorkspaceState,
): SchedulerOptions {
  const { locks, events } = records();
  const isShared = Object.hasOwn(config.remotes, root);
  const takeTurn = async (id: string, nextMs: number) =>
    await (await remote())?.turns.takeTask(id, nextMs) ?? true;
  return { root, locks, events, trust, ...isShared && { takeTurn } };
}
