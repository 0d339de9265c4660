/**
 * Captures the sessions whose recordings are waiting, on commands that read memory anyway.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { Spool, type SpoolReport } from "../hosts/hook/spool.ts";
import { trackedFiles } from "./git/tracked.ts";
import type { WorkspaceState } from "./state.ts";

/**
 * @param state whose sessions
 * @param options for how many milliseconds it may start on another one
 * @returns how many were captured, and how many are left
 */
export async function captureSpooled(
  { root, memory, notify }: WorkspaceState,
  { budgetMs }: { budgetMs?: number } = {},
): Promise<SpoolReport> {
  const spool = new Spool(`${root}/.agentx`);
  if (spool.isEmpty) return { captured: 0, left: 0 };
  const [pipeline, { readTranscript }] = await Promise.all([
    memory(),
    import("../transcripts/mod.ts"),
  ]);
  return await spool.drain({
    capture: ({ text, agent, issue }) =>
      // deno-lint-ignore require-await -- reading may fail, and that belongs to the capture
      pipeline.capture(async () => readTranscript(text), {
        agent: roleOf(agent),
        issueNumber: issue,
      }),
    notify,
    budgetMs,
    isTracked: trackedFiles(root)(),
  });
}
