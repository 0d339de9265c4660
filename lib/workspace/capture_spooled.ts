// Captures the sessions whose recordings are waiting, on commands that read memory anyway.

import { roleOf } from "../base/agent_names.ts";
import { Spool } from "./spool.ts";
import { spoolFolder } from "./state_origin.ts";
import type { WorkspaceState } from "./state.ts";

/** Captures for as long as the budget allows another start. */
export async function captureSpooled(
  { root, memory, notify }: WorkspaceState,
  { budgetMs }: { budgetMs?: number } = {},
): Promise<void> {
  const folder = spoolFolder(root);
  const spool = folder === undefined ? undefined : new Spool(folder);
  if (spool === undefined || spool.isEmpty) return;
  const [pipeline, { readTranscript }] = await Promise.all([
    memory(),
    import("../transcripts/mod.ts"),
  ]);
  await spool.drain({
    capture: ({ text, agent, issue }) =>
      // deno-lint-ignore require-await -- reading may fail, and that belongs to the capture
      pipeline.capture(async () => readTranscript(text), {
        agent: roleOf(agent),
        issueNumber: issue,
      }),
    notify,
    budgetMs,
  });
}
