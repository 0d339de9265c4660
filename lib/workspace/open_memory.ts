/**
 * The memory of an open workspace.
 *
 * @module
 */

import type { AgentStatusStore } from "../clarify/status.ts";
import { removeKeptRecalls } from "../hosts/hook/recall_cache.ts";
import { MemoryPipeline } from "../memory/pipeline.ts";
import { SessionUses } from "../memory/recall/session_uses.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { type OpenedPlace, sharedOf } from "./open_shared.ts";

/**
 * @param place whose memory
 * @param agentStatus gives what each agent is doing
 * @returns its memory
 */
export function openMemory(
  place: OpenedPlace,
  agentStatus: () => Promise<AgentStatusStore>,
): MemoryPipeline {
  const { root, tree, home, config, notify } = place;
  const { locks, events, log } = sharedOf(place);
  const folders = [...new Set([tree, root])];
  // A search needs none of what is loaded here.
  const issueOf = async (issue: number) => {
    const { IssueStore } = await import("../work/issue/issue_store.ts");
    return new IssueStore(`${home}/issues`, locks).findReadable(issue);
  };
  const memory: MemoryPipeline = new MemoryPipeline({
    store: new JsonObservationStore(`${home}/memory`, locks, {
      recallsPath: `${home}/state/memory-recalls.json`,
      notify,
      onRemoved: () => removeKeptRecalls(home),
    }),
    events,
    titleOf: async (issue) => (await issueOf(issue))?.title,
    uidOf: async (issue) => (await issueOf(issue))?.uid,
    startOf: async (session, issue) => (await agentStatus()).startOf(session, issue),
    folders,
    async treeOf(use) {
      const { WorkingTree, CAPTURE_LIMITS, RECALL_LIMITS } = await import("./source_tree.ts");
      return new WorkingTree(folders[0], use === "capture" ? CAPTURE_LIMITS : RECALL_LIMITS);
    },
    uses: new SessionUses(`${home}/state/memory-uses.json`, locks),
    isEnabled: config.memory.enabled,
    maxTokens: config.memory.maxTokens,
    maxMegabytes: config.memory.maxMegabytes,
    async onStored() {
      const { renewRecalls } = await import("./session_recall.ts");
      await renewRecalls(home, folders[0], memory);
    },
    log,
    notify,
  });
  return memory;
}
