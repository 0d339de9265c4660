/**
 * What the parts of an open workspace share: its locks, its events and its log.
 *
 * @module
 */

import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";
import { EventLog, type WriteLog } from "../events/log.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { birthOf } from "./birth.ts";
import { sys } from "../sys/mod.ts";
import type { OpenWorkspaceOptions, SharedParts, WorkspaceState } from "./state.ts";

/** Where a workspace is and what its settings say: what its other parts are made of. */
export interface OpenedPlace
  extends
    Pick<WorkspaceState, "root" | "tree" | "config" | "agents" | "notify" | "trust">,
    Pick<OpenWorkspaceOptions, "events" | "signal"> {
  /** The folder `.agentx`. */
  home: string;
  /** What its parts share, once one of them was made. */
  shared?: Shared;
  /** Its issues, once somebody asked for them. */
  issues?: Promise<IssueStore>;
}

/** What the parts share, and where they write what they did. */
export interface Shared extends SharedParts {
  readonly log: WriteLog;
}

/** @returns what all parts of the workspace share: all that happens is logged, and so is a wait for a lock */
export function sharedOf(place: OpenedPlace): Shared {
  return place.shared ??= makeShared(place);
}

/** @returns the one store of its issues, which reads each file once */
export function issuesOf(place: OpenedPlace): Promise<IssueStore> {
  return place.issues ??= (async () => {
    const { IssueStore } = await import("../work/issue/issue_store.ts");
    const { root, tree, home, notify } = place;
    const { locks, events } = sharedOf(place);
    return new IssueStore(root, locks, {
      tree,
      isOurs: () => birthOf(root).isOurs,
      highestElsewhere: () => highestLedger(`${home}/state/clarifications`),
      onChange(change) {
        const source = `issue/${change.issueNumber}`;
        events.emit("state-change", { source, ...change, timestamp: sys.now() });
      },
      notify,
    });
  })();
}

/** An issue that is only asked about has its number, too. */
function highestLedger(folder: string): number {
  const numbers = sys.readDir(folder).map((name) => Number(/^issue-(\d+)\.json$/.exec(name)?.[1]));
  return Math.max(0, ...numbers.filter((number) => number >= 1));
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
