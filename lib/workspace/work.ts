// The parts of a workspace that know the work: issues, the queue of them, their loops. They are apart
// from those that ask and answer, so that a hook at the start of a session need not load those.

import { originOf } from "./birth.ts";
import { readWorkflow, type Workflow } from "../config/workflow.ts";
import { roleOf } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { IN_PROGRESS, IN_REVIEW, isOpen, type Issue } from "../work/issue/issue.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { typeOf } from "../work/issue/labels.ts";
import { LoopGate } from "../work/iterations/loop_gate.ts";
import { hasFinished } from "../work/iterations/loop_state.ts";
import { ReadyQueue, type Routes } from "../work/queue/claim.ts";
import { routeOf } from "../work/route/route.ts";
import { issueElsewhere } from "./links.ts";
import type { WorkspaceState } from "./state.ts";

export interface Work {
  readonly issues: IssueStore;
  /** Which issues can be claimed, and claiming them. */
  readonly ready: ReadyQueue;
  /** The iterative loops, and the gate that they are. */
  readonly loop: LoopGate;
}

export async function openWork(state: WorkspaceState): Promise<Work> {
  const { root, config, notify } = state;
  const { locks, ledger, status } = state.records();
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

/** A type says which way an issue takes; a route that cannot be read stops nobody from working. */
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

/** Roles that carry out what others have planned. */
const EXECUTING = ["engineer", "reviewer", "tester", "devops-engineer"];

/** Why an issue is not planned any more, whatever its agent says; undefined where it may be. */
export function executionOf(
  issueNumber: number,
  { issues, loop }: Pick<Work, "issues" | "loop">,
): string | undefined {
  const issue = issues.findReadable(issueNumber);
  if (issue !== undefined && !isOpen(issue)) return `issue #${issueNumber} is closed`;
  if (issue?.status === IN_REVIEW) return `issue #${issueNumber} is in review`;
  const worker = issue?.status === IN_PROGRESS ? issue.assignee : null;
  if (worker !== null && EXECUTING.includes(roleOf(worker))) {
    return `${worker} has claimed issue #${issueNumber}`;
  }
  const iterations = loop.status(issueNumber);
  if (iterations?.status !== "active") return undefined;
  return `the iterative loop of #${issueNumber} is active (iteration ${iterations.iteration})`;
}
