// Captures spooled recordings of ended sessions. Commands that read memory anyway call this.

import { roleOf } from "../base/agent_names.ts";
import { logTools } from "./log_tools.ts";
import { Spool } from "./spool.ts";
import { spoolFolder } from "./state_origin.ts";
import type { WorkspaceState } from "./state.ts";

/** Captures recordings, and starts no further one after `budgetMs`. */
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
      // deno-lint-ignore require-await -- a read error has to reject, so that the capture reports it
      pipeline.capture(async () => {
        const { problems, ...read } = readTranscript(text);
        logTools({ problems, ...read }, { agent, issueNumber: issue }, state);
        return { ...read, problems: problems.filter((problem) => problem !== NO_MESSAGES) };
      }, { agent: roleOf(agent), issueNumber: issue }),
    notify,
    budgetMs,
  });
}
