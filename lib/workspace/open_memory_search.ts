/**
 * Opens what a search of memory needs, which is little: where the workspace is, memory, and the log.
 * Settings and ledgers are loaded only where a session waits to be captured first.
 *
 * @module
 */

import { EventLog, type LogFields, LoggedOperation } from "../events/log.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import { MemorySearch } from "../memory/dedupe.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { sys } from "../sys/mod.ts";
import { hasSpooled } from "./birth.ts";
import { findWorkspace } from "./find.ts";
import type { WorkspaceState } from "./state.ts";

/** Options of {@linkcode openMemorySearch}. */
export interface OpenMemorySearchOptions {
  /** Where to look for `.agentx/`, there and upward. */
  root?: string;
  /** Called with one sentence for what failed without harm. */
  notify: (message: string) => void;
  /** Opens the whole of it, and captures sessions that have ended. */
  openState: () => Promise<WorkspaceState>;
}

/**
 * Opens the search of a workspace.
 *
 * @returns the search, and what begins one for the log
 * @throws {AgentxError} `NOT_INITIALISED`, `UNTRUSTED`; and what opening all of it throws
 */
export async function openMemorySearch(
  { root: start = sys.cwd(), notify, openState }: OpenMemorySearchOptions,
): Promise<{ search: MemorySearch; begin: (fields: LogFields) => LoggedOperation }> {
  const { root } = findWorkspace(start);
  const home = `${root}/.agentx`;
  let state: Promise<WorkspaceState> | undefined;
  if (hasSpooled(root)) await (state = openState());
  const log = new EventLog(`${home}/log`, { warn: notify });
  const write = log.write.bind(log);
  return {
    search: new MemorySearch(async () => {
      if (state !== undefined) return (await (await state).memory()).store;
      const recallsPath = `${home}/state/memory-recalls.json`;
      const locks = new FileLockManager();
      return new JsonObservationStore(`${home}/memory`, locks, { recallsPath, notify });
    }),
    begin: (fields) => new LoggedOperation(write, "memory-searched", fields),
  };
}
