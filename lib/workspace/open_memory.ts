// Opens the memory of a workspace.

import { MemoryPipeline } from "../memory/memory_pipeline.ts";
import { SessionUses } from "../memory/recall/session_uses.ts";
import { sys } from "../sys/mod.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { PROJECT } from "../memory/schema.ts";
import { CAPTURE_LIMITS, RECALL_LIMITS, WorkingTree } from "./source_tree.ts";
import type { WorkspaceState } from "./state.ts";

/** Connects the memory to the other parts of a workspace. Nothing is read yet. */
export function openMemoryPipeline(state: WorkspaceState): MemoryPipeline {
  const { root, tree, config, notify } = state;
  const { locks, events, log, status } = state.records();
  const home = `${root}/.agentx`;
  const folders = [...new Set([tree, root])];
  // The issue store is loaded on demand, because a search does not need it.
  const issueOf = async (issue: number) =>
    issue === PROJECT ? undefined : (await state.issueStore()).findReadable(issue);
  const memory: MemoryPipeline = new MemoryPipeline({
    store: new JsonObservationStore(`${home}/memory`, locks, {
      recallsPath: `${home}/state/memory-recalls.json`,
      note: state.operations.note,
      notify,
    }),
    events,
    issueOf,
    startOf: (session, issue) => status.startOf(session, issue),
    folders,
    treeOf: (use) =>
      new WorkingTree(folders[0], use === "capture" ? CAPTURE_LIMITS : RECALL_LIMITS),
    async onReplaced(earlier, later) {
      const said = await memory.store.getById(earlier);
      const question = said?.sessionId.startsWith("CLR-")
        ? `, which ${said.sessionId} settled`
        : "";
      notify(`${later} replaces ${earlier}${question}`);
      if (sys.lstat(`${home}/state/assumptions.json`) === undefined) return;
      const replaced = await (await state.gate()).assumptions.replace(earlier, later);
      if (replaced !== undefined) notify(`${replaced.id} is superseded by it`);
    },
    uses: new SessionUses(`${home}/state/memory-uses.json`, locks),
    isEnabled: config.memory.enabled,
    startTokens: config.memory.startTokens,
    maxTokens: config.memory.maxTokens,
    log: log.write.bind(log),
    notify,
  });
  return memory;
}
