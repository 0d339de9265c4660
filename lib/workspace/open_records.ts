/**
 * The clarifications of an open workspace, what each agent is doing, and who is at which question.
 *
 * @module
 */

import { ClarificationLedger } from "../clarify/ledger.ts";
import { Runs } from "../clarify/runs.ts";
import { AgentStatusStore } from "../clarify/status.ts";
import { isRunnable } from "../config/runnable.ts";
import { trackedFiles } from "./git/tracked.ts";
import { type OpenedPlace, sharedOf } from "./open_shared.ts";
import type { Records } from "./state.ts";

/** @returns its records */
export function openRecords(place: OpenedPlace): Records {
  const { root, home, config, agents, notify } = place;
  const { locks, events } = sharedOf(place);
  const tracked = trackedFiles(root);
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks, {
    trackedFiles: tracked,
    async uidOf(issue) {
      const { IssueStore } = await import("../work/issue/issue_store.ts");
      return new IssueStore(`${home}/issues`, locks).findReadable(issue)?.uid;
    },
    notify,
  });
  const status = new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger, {
    async holders() {
      const [{ IssueStore }, { isOpen }] = await Promise.all([
        import("../work/issue/issue_store.ts"),
        import("../work/issue/issue.ts"),
      ]);
      const { issues } = new IssueStore(`${home}/issues`, locks).scan();
      return new Set(issues.filter(isOpen).flatMap(({ assignee }) => assignee ?? []));
    },
    trackedFiles: tracked,
  });
  const runs = new Runs(`${home}/state/runs`, (role) =>
    Object.hasOwn(agents, role) ||
    Object.hasOwn(config.agents, role) && isRunnable(config.agents[role]));
  return { locks, events, ledger, status, runs };
}
