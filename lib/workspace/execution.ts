// Whether the work on an issue has begun: then it is not planned any more, in spite of what its
// agent says.

import type { Origin } from "../config/origin.ts";
import { roleOf } from "../base/agent_names.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { IN_PROGRESS, IN_REVIEW, isOpen } from "../work/issue/issue.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { LoopGate } from "../work/iterations/loop_gate.ts";

/** Roles that carry out what others have planned. */
const EXECUTING = ["engineer", "reviewer", "tester", "devops-engineer"];

/** Why an issue is not planned any more; undefined where it may be. */
export function executionOf(
  issueNumber: number,
  { home, locks, issues, origin }: {
    home: string;
    locks: FileLockManager;
    issues: IssueStore;
    origin: Origin;
  },
): string | undefined {
  const issue = issues.findReadable(issueNumber);
  if (issue !== undefined && !isOpen(issue)) return `issue #${issueNumber} is closed`;
  if (issue?.status === IN_REVIEW) return `issue #${issueNumber} is in review`;
  const worker = issue?.status === IN_PROGRESS ? issue.assignee : null;
  if (worker !== null && EXECUTING.includes(roleOf(worker))) {
    return `${worker} has claimed issue #${issueNumber}`;
  }
  const loop = new LoopGate(`${home}/state/loop-state.json`, locks, { origin }).status(issueNumber);
  if (loop?.status !== "active") return undefined;
  return `the iterative loop of #${issueNumber} is active (iteration ${loop.iteration})`;
}
