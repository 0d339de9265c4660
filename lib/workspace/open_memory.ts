/**
 * The memory of an open workspace.
 *
 * @module
 */

import type { AgentStatusStore } from "../clarify/status.ts";
import { MemoryPipeline } from "../memory/pipeline.ts";
import { SessionUses } from "../memory/recall/session_uses.ts";
import type { HumanGate } from "../gate/gate.ts";
import { sys } from "../sys/mod.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { PROJECT } from "../memory/schema.ts";
import { issuesOf, type OpenedPlace, sharedOf } from "./open_shared.ts";

/**
 * @param place whose memory
 * @param agentStatus gives what each agent is doing
 * @param gate gives what was assumed
 * @returns its memory
 */
export function openMemory(
  place: OpenedPlace,
  agentStatus: () => Promise<AgentStatusStore>,
  gate: () => Promise<HumanGate>,
): MemoryPipeline {
  const { root, tree, home, config, notify } = place;
  const { locks, events, log } = sharedOf(place);
  const folders = [...new Set([tree, root])];
  // A search needs none of what is loaded here.
  const issueOf = async (issue: number) =>
    issue === PROJECT ? undefined : (await issuesOf(place)).findReadable(issue);
  const memory: MemoryPipeline = new MemoryPipeline({
    store: new JsonObservationStore(`${home}/memory`, locks, {
      recallsPath: `${home}/state/memory-recalls.json`,
      notify,
    }),
    events,
    issueOf,
    startOf: async (session, issue) => (await agentStatus()).startOf(session, issue),
    folders,
    async treeOf(use) {
      const { WorkingTree, CAPTURE_LIMITS, RECALL_LIMITS } = await import("./source_tree.ts");
      return new WorkingTree(folders[0], use === "capture" ? CAPTURE_LIMITS : RECALL_LIMITS);
    },
    async onReplaced(earlier, later) {
      const said = await memory.store.getById(earlier);
      const question = said?.sessionId.startsWith("CLR-")
        ? `, which ${said.sessionId} settled`
        : "";
      notify(`${later} replaces ${earlier}${question}`);
      if (sys.lstat(`${home}/state/assumptions.json`) === undefined) return;
      const replaced = await (await gate()).assumptions.replace(earlier, later);
      if (replaced !== undefined) notify(`${replaced.id} is superseded by it`);
    },
    uses: new SessionUses(`${home}/state/memory-uses.json`, locks),
    isEnabled: config.memory.enabled,
    startTokens: config.memory.startTokens,
    maxTokens: config.memory.maxTokens,
    log,
    notify,
  });
  return memory;
}
