/**
 * The parts of a workspace that know the work: issues, the queue of them, their loops. They are apart
 * from those that ask and answer, so that a hook at the start of a session need not load those.
 *
 * @module
 */

import { IssueStore } from "../work/issue/issue_store.ts";
import { LoopGate } from "../work/loop/loop_gate.ts";
import { ReadyQueue } from "../work/queue/claim.ts";
import type { WorkspaceState } from "./state.ts";

/** The parts of a workspace that know the work. */
export interface Work {
  /** The local issues. */
  readonly issues: IssueStore;
  /** Which issues can be claimed, and claiming them. */
  readonly ready: ReadyQueue;
  /** The iterative loops, and the gate that they are. */
  readonly loop: LoopGate;
}

/**
 * @param state what is on disk
 * @returns the parts that know the work
 */
export async function openWork(state: WorkspaceState): Promise<Work> {
  const { root, config, notify } = state;
  const { locks, ledger, status } = await state.records();
  const issues = new IssueStore(`${root}/.agentx/issues`, locks, { notify });
  return {
    issues,
    ready: new ReadyQueue({ issues, ledger, status, notify }),
    loop: new LoopGate(`${root}/.agentx/state/loop-state.json`, locks, {
      isRequired: config.loop.required,
      uidOf: (issue) => issues.findReadable(issue)?.uid,
      notify,
    }),
  };
}
