// Builds the human gate of a workspace.

import { type AssumptionMemory, AssumptionStore } from "../gate/assumption_store.ts";
import { HumanGate } from "../gate/gate.ts";
import { InteractionStore } from "../gate/store.ts";
import { MAX_CONTENT, truncate } from "../memory/schema.ts";
import type { WorkspaceState } from "./state.ts";
import { originOf } from "./state_origin.ts";

/** Opens the human gate, with its assumptions. */
export function openGate(state: WorkspaceState): HumanGate {
  const { root, config, issueStore, operations: { note }, notify } = state;
  const { locks, events } = state.records();
  const stateFolder = `${root}/.agentx/state`;
  const origin = originOf(root);
  return new HumanGate({
    store: new InteractionStore(`${stateFolder}/agent-interactions.json`, { locks, origin, note }),
    assumptions: new AssumptionStore(`${stateFolder}/assumptions.json`, {
      locks,
      origin,
      note,
      async uids() {
        const issues = await issueStore();
        return (issue) => issues.findReadable(issue)?.uid;
      },
      memory: config.memory.enabled ? gateMemory(state.memory) : undefined,
      notify,
    }),
    events,
    settings: config.gate,
    async executionOf(issue) {
      const { executionOf, openWork } = await import("./work.ts");
      return executionOf(issue, await openWork(state));
    },
    async whyComplex(number) {
      const { whyComplex } = await import("../work/route/complexity.ts");
      const issue = (await issueStore()).findReadable(number);
      return issue && whyComplex(issue);
    },
    notify,
  });
}

/** Stores an assumption that a human confirmed in memory, so that later sessions know the decision. */
function gateMemory(memory: WorkspaceState["memory"]): AssumptionMemory {
  return {
    async remember({ agent, issue: issueNumber, decision, reasoning }) {
      const room = MAX_CONTENT - `${decision} ()`.length;
      const content = room > 0 ? `${decision} (${truncate(reasoning, room)})` : decision;
      const category = "decision" as const;
      return (await (await memory()).note({ agent, issueNumber, category, content })).id;
    },
    async retract(id, because) {
      await (await memory()).store.retract(id, because);
    },
  };
}
