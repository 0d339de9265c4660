/**
 * What the parts of an open workspace share: its locks, its events and its log.
 *
 * @module
 */

import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";
import { EventLog, type WriteLog } from "../events/log.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import type { OpenWorkspaceOptions, SharedParts, WorkspaceState } from "./state.ts";

/** Where a workspace is and what its settings say: what its other parts are made of. */
export interface OpenedPlace
  extends
    Pick<WorkspaceState, "root" | "tree" | "config" | "agents" | "notify">,
    Pick<OpenWorkspaceOptions, "events" | "signal"> {
  /** The folder `.agentx`. */
  home: string;
  /** What its parts share, once one of them was made. */
  shared?: Shared;
}

/** What the parts share, and where they write what they did. */
export interface Shared extends SharedParts {
  readonly log: WriteLog;
}

/** @returns what all parts of the workspace share: all that happens is logged, and so is a wait for a lock */
export function sharedOf(place: OpenedPlace): Shared {
  return place.shared ??= makeShared(place);
}

function makeShared(place: OpenedPlace): Shared {
  const { root, home, events = new AgentEventBus(), signal, notify } = place;
  const file = new EventLog(`${home}/log`, { warn: notify });
  const log: WriteLog = (operation, fields) => file.write(operation, fields);
  for (const name of EVENT_NAMES) events.on(name, (payload) => log(name, payload));
  const locks = new FileLockManager({
    signal,
    onEvent: ({ kind, path, agent, waitedMs }) =>
      log(`lock-${kind}`, {
        filePath: path.slice(root.length + 1),
        agent,
        durationMs: Math.round(waitedMs),
      }),
  });
  return { locks, events, log };
}
