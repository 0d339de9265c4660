// Watches a request in an outbox while a session waits for the reply.

import { describeRun } from "../../clarify/render/runs.ts";
import { sys } from "../../sys/mod.ts";
import { OUTBOX_VARIABLE, requestRunKey } from "../../workspace/outbox/outbox_folder.ts";
import type { Workspace } from "../../workspace/open.ts";

/** A runner looks four times a second. */
const PATIENCE_MS = 5_000;

export interface RequestWatchOptions {
  workspace: Pick<Workspace, "root" | "runs">;
  isServed: () => Promise<boolean>;
  /** Whether the session knows already that no runner takes it. */
  isNoted: boolean;
  /** Called when no process is running it: once, and again only after one was. */
  notify: (message: string) => void;
}

/** Watches a request; the result looks once, given the clarification that it has become, or null. */
export function watchRequest(
  nonce: string,
  { workspace: { root, runs }, isServed, isNoted, notify }: RequestWatchOptions,
): (clarificationId: string | null) => Promise<void> {
  let seenMs = performance.now();
  let last: string | null = null;
  return async (clarificationId) => {
    const run = await runs.look(requestRunKey(nonce));
    if (run.state === "running" || clarificationId !== last) {
      seenMs = performance.now();
      isNoted = false;
    }
    last = clarificationId;
    if (isNoted || performance.now() - seenMs < PATIENCE_MS) return;
    isNoted = true;
    if (clarificationId === null && await isServed()) {
      notify(
        `nobody has taken it after ${
          PATIENCE_MS / 1_000
        } s: agentx serve in "${root}" looks into ` +
          "registered worktrees (git worktree list) and the folder that its own " +
          `${OUTBOX_VARIABLE} names`,
      );
      return;
    }
    const state = clarificationId === null
      ? "nobody takes it"
      : `${clarificationId}: ${describeRun(run, sys.now())}`;
    notify(`${state}; ${startRunner(root)}, and this session keeps waiting`);
  };
}

/** What to do where no runner is at work. */
export function startRunner(root: string): string {
  return `start agentx serve in "${root}", outside of this sandbox`;
}
