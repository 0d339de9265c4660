/**
 * The parts of a workspace that know the work: issues, the queue of them, their loops. They are apart
 * from those that ask and answer, so that a hook at the start of a session need not load those.
 *
 * @module
 */

import { originOf } from "./birth.ts";
import { readWorkflow, type Workflow } from "../config/workflow.ts";
import { AgentxError } from "../base/errors.ts";
import type { Issue } from "../work/issue/issue.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { typeOf } from "../work/issue/labels.ts";
import { LoopGate } from "../work/iterations/loop_gate.ts";
import { hasFinished } from "../work/iterations/loop_state.ts";
import { ReadyQueue, type Routes } from "../work/queue/claim.ts";
import { routeOf } from "../work/route/route.ts";
import { issueElsewhere } from "./links.ts";
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
  const issues = await state.issueStore();
  const loop = new LoopGate(`${root}/.agentx/state/loop-state.json`, locks, {
    isRequired: config.loop.required,
    origin: originOf(root),
    uidOf: (issue) => issues.findReadable(issue)?.uid,
    notify,
  });
  const routes = () => routesOf({ root, config, loop });
  const isClosedElsewhere = (ref: string) => issueElsewhere(ref).state === "closed";
  const ready = new ReadyQueue({ issues, ledger, status, routes, isClosedElsewhere, notify });
  return { issues, ready, loop };
}

/** A type says which way an issue goes; a route that cannot be read keeps nobody from working. */
function routesOf(
  { root, config: { defaultWorkflow }, loop }: Pick<WorkspaceState, "root" | "config"> & {
    loop: LoopGate;
  },
): Routes {
  const finished = loop.finished();
  const workflows = new Map<string, Workflow>();
  const workflowOf = (type: string) => {
    const workflow = workflows.get(type) ?? readWorkflow(`${root}/.agentx/workflows`, type);
    workflows.set(type, workflow);
    return workflow;
  };
  const isFinished = (issue: Issue, role: string) =>
    hasFinished(issue, finished.get(issue.number), role);
  const nextRoles = (issue: Issue) => {
    if (typeOf(issue) === undefined) return undefined;
    const of = (role: string) => isFinished(issue, role);
    try {
      const source = { readWorkflow: workflowOf, defaultWorkflow, isFinished: of };
      return routeOf(issue, source).first.map(({ agent }) => agent);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      return undefined;
    }
  };
  const isOver = (issue: Issue) => finished.has(issue.number) && nextRoles(issue)?.length === 0;
  return { nextRoles, isFinished, isOver };
}
