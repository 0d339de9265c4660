/**
 * The gate of an open workspace to its human.
 *
 * @module
 */

import { type AssumptionMemory, AssumptionStore } from "../gate/assumption_store.ts";
import { HumanGate } from "../gate/gate.ts";
import { InteractionStore } from "../gate/store.ts";
import { originOf } from "./birth.ts";
import { issuesOf, type OpenedPlace, sharedOf } from "./open_shared.ts";
import type { WorkspaceState } from "./state.ts";

/**
 * @param place whose gate
 * @param memory keeps what the human confirmed
 * @returns its gate
 */
export function openGate(place: OpenedPlace, memory: WorkspaceState["memory"]): HumanGate {
  const { root, home, config, notify } = place;
  const { locks, events } = sharedOf(place);
  const origin = originOf(root);
  return new HumanGate({
    store: new InteractionStore(`${home}/state/agent-interactions.json`, { locks, origin }),
    assumptions: new AssumptionStore(`${home}/state/assumptions.json`, {
      locks,
      origin,
      async uids() {
        const issues = await issuesOf(place);
        return (issue) => issues.findReadable(issue)?.uid;
      },
      memory: config.memory.enabled ? gateMemory(memory) : undefined,
      notify,
    }),
    events,
    settings: config.gate,
    async executionOf(issue) {
      const { executionOf } = await import("./execution.ts");
      return executionOf(issue, { home, locks, issues: await issuesOf(place), origin });
    },
    notify,
  });
}

/** What a human confirmed is a decision that the next session should know. */
function gateMemory(memory: WorkspaceState["memory"]): AssumptionMemory {
  return {
    async remember({ agent, issue: issueNumber, decision, reasoning }) {
      const content = `${decision} (${reasoning})`;
      const category = "decision" as const;
      return (await (await memory()).note({ agent, issueNumber, category, content })).id;
    },
    async retract(id, because) {
      await (await memory()).store.retract(id, because);
    },
  };
}
