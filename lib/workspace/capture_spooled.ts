// Captures the sessions with recordings that wait, on commands that read memory anyway.

import { roleOf } from "../base/agent_names.ts";
import { logTools } from "./log_tools.ts";
import { Spool } from "./spool.ts";
import { spoolFolder } from "./state_origin.ts";
import type { WorkspaceState } from "./state.ts";

/** Captures for as long as the budget allows another start. */
export async function captureSpooled(
  state: WorkspaceState,
  { budgetMs }: { budgetMs?: number } = {},
): Promise<void> {
  const { root, memory, notify } = state;
  const folder = spoolFolder(root);
  const spool = folder === undefined ? undefined : new Spool(folder);
  if (spool === undefined || spool.isEmpty) return;
  const [pipeline, { NO_MESSAGES, readTranscript }] = await Promise.all([
    memory(),
    import("../transcripts/mod.ts"),
  ]);
  await spool.drain({
    capture: ({ text, agent, issue }) =>
      // deno-lint-ignore require-await -- reading may fail, and that belongs to the capture
      pipeline.capture(async () => {
        const { problems, ...read } = readTranscript(text);
        logTools({ problems, ...read }, { agent, issueNumber: issue }, state);
        return { ...read, problems: problems.filter((problem) => problem !== NO_MESSAGES) };
      }, { agent: roleOf(agent), issueNumber: issue }),
    notify,
    budgetMs,
  });
}
