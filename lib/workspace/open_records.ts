/**
 * The clarifications of an open workspace, what each agent is doing, and who is at which question.
 *
 * @module
 */

import { ClarificationLedger } from "../clarify/ledger.ts";
import { Runs } from "../clarify/runs.ts";
import { AgentStatusStore } from "../clarify/status.ts";
import { originOf } from "./birth.ts";
import { issuesOf, type OpenedPlace, sharedOf } from "./open_shared.ts";
import type { Records } from "./state.ts";

/** @returns its records */
export function openRecords(place: OpenedPlace): Records {
  const { root, home, notify } = place;
  const { locks, events } = sharedOf(place);
  const origin = originOf(root);
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks, {
    origin,
    async uidOf(issue) {
      return (await issuesOf(place)).findReadable(issue)?.uid;
    },
    notify,
  });
  const status = new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger, {
    async holders() {
      const [store, { isOpen }] = await Promise.all([
        issuesOf(place),
        import("../work/issue/issue.ts"),
      ]);
      const { issues } = store.scan();
      return new Set(issues.filter(isOpen).flatMap(({ assignee }) => assignee ?? []));
    },
    origin,
  });
  const runs: Runs = new Runs(`${home}/state/runs`, async (role) => {
    const { roleReach } = await import("./role_reach.ts");
    return await roleReach(role, { ...place, status, isServed: (role) => runs.isServed(role) });
  });
  return { locks, events, ledger, status, runs };
}
