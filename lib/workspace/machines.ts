// Connects a workspace to its copies on other machines.

import { AgentxError } from "../base/errors.ts";
import type { ClarificationRouter } from "../clarify/hub/router.ts";
import { type ClarificationEventName, publisher } from "../clarify/status/publish.ts";
import type { ClarificationStatus } from "../clarify/schema.ts";
import type { LocalParts, Remote } from "../remote/remote.ts";
import { sys } from "../sys/mod.ts";
import type { WorkspaceState } from "./state.ts";
import type { Work } from "./work.ts";

/** Maximum time that the start of a session waits for news from other machines. */
export const START_SYNC_MS = 1_000;

const POLL_MS = 25;

const EVENTS: Readonly<Record<ClarificationStatus, ClarificationEventName | undefined>> = {
  pending: "clarification-requested",
  answered: "clarification-answered",
  stale: "clarification-stale",
  resolved: "clarification-resolved",
  escalated: "clarification-escalated",
  abandoned: undefined,
};

/** Syncs with other machines within `timeoutMs`. If this fails, the pending data is sent later. */
export async function trySync(
  workspace: WorkspaceState & Pick<Work, "ready">,
  how: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<void> {
  const remote = await workspace.remote();
  if (remote === undefined) return;
  try {
    await syncMachines(remote, workspace, how);
  } catch (error) {
    if (!(error instanceof AgentxError) && !how.signal?.aborted) throw error;
  }
}

/**
 * Reads news from other machines, and sends all pending data.
 *
 * @throws {AgentxError} `SYNC_ERROR`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
 */
export async function syncMachines(
  remote: Remote,
  { ready, ...state }: WorkspaceState & Pick<Work, "ready">,
  how: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<void> {
  const { runs } = state.records();
  const parts = {
    ...await localParts(state),
    held: () => ready.held(),
    lose: ({ issue }: { issue: { number: number } }) => ready.lose(issue.number),
    isRunning: (id: string) => runs.look(id).state !== "nobody",
  };
  await remote.sync(parts, how);
}

/**
 * Starts a sync in another process, and waits for it at most `waitMs`.
 *
 * @param startAgain starts agentx with these arguments
 * @param everyMs the minimum time since the last sync; if less has passed, none is started
 */
export async function syncBehind(
  remote: Remote,
  startAgain: ((words: string[]) => void) | undefined,
  { tree, waitMs, everyMs }: { tree: string; waitMs: number; everyMs: number },
): Promise<void> {
  const nowMs = sys.now();
  const isSynced = (sinceMs: number) => Date.parse(remote.view().synced ?? "") >= sinceMs;
  if (startAgain === undefined || isSynced(nowMs - everyMs)) return;
  startAgain(["--root", tree, "__sync"]);
  while (!isSynced(nowMs) && sys.now() - nowMs < waitMs) await sys.wait(POLL_MS);
}

/** Returns the hub's connection to other machines; undefined if the workspace is not shared. */
export function machinesOf(
  state: WorkspaceState,
): ConstructorParameters<typeof ClarificationRouter>[0]["machines"] {
  if (!Object.hasOwn(state.config.remotes, state.root)) return undefined;
  return {
    async takeTurn(id) {
      const remote = await state.remote();
      return remote === undefined
        ? { end: () => Promise.resolve() }
        : await remote.turns.take(id, await localParts(state));
    },
    hear: async () => await (await state.remote())?.contacts.hear(await localParts(state)),
    hearAgain: async () =>
      await (await state.remote())?.contacts.hearAgain(await localParts(state)),
  };
}

/** Returns the local parts that a remote reads and updates. */
async function localParts(state: WorkspaceState): Promise<LocalParts> {
  const { ledger, status, events } = state.records();
  const issues = await state.issueStore();
  const publish = publisher({ status, events, notify: state.notify });
  return {
    ledger,
    uidOf: (number) => issues.findReadable(number)?.uid,
    numberOf: (uid) => issues.view().byUid.get(uid)?.issue.number,
    async onChange(record) {
      const name = EVENTS[record.status];
      if (name !== undefined) await publish(name, [record]);
    },
  };
}
