/**
 * Opens what a search of memory needs, which is little: where the workspace is, the index, and the log.
 * Settings, ledgers and locks are loaded only where there is more to do first.
 *
 * @module
 */

import { EventLog, type LogFields, LoggedOperation } from "../events/log.ts";
import { MemorySearch } from "../memory/memory_search.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";
import type { WorkspaceState } from "./state.ts";

/** Options of {@linkcode openMemorySearch}. */
export interface OpenMemorySearchOptions {
  /**
   * Where to look for `.agentx/`, there and upward.
   *
   * @default {the current folder}
   */
  root?: string;
  /** Called with one sentence for what failed without harm. */
  notify: (message: string) => void;
  /** Opens the whole of it, and captures sessions that have ended. */
  openState: () => Promise<WorkspaceState>;
}

/**
 * Opens the search of a workspace.
 *
 * @param options where, and how all of it is opened
 * @returns the search, and what begins one for the log
 * @throws {AgentxError} `NOT_INITIALISED`, `UNTRUSTED`; and what opening all of it throws
 */
export async function openMemorySearch(
  { root: start = sys.cwd(), notify, openState }: OpenMemorySearchOptions,
): Promise<{ search: MemorySearch; begin: (fields: LogFields) => LoggedOperation }> {
  const home = `${findWorkspace(start).root}/.agentx`;
  let state: Promise<WorkspaceState> | undefined;
  const opened = () => state ??= openState();
  if (sys.readDir(`${home}/state/spool`).length > 0) await opened();
  const log = new EventLog(`${home}/log`, { warn: notify });
  const write = log.write.bind(log);
  return {
    search: new MemorySearch(
      `${home}/memory`,
      async () => (await (await opened()).memory()).store,
    ),
    begin: (fields) => new LoggedOperation(write, "memory-searched", fields),
  };
}
