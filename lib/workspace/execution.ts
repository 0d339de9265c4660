/**
 * Whether the work on an issue has begun: then it is not planned any more, whatever its agent says.
 *
 * @module
 */

import type { FileLockManager } from "../lock/mod.ts";
import { IN_REVIEW, isOpen } from "../work/issue/issue.ts";
import { IssueStore } from "../work/issue/issue_store.ts";
import { LoopGate } from "../work/loop/loop_gate.ts";

/**
 * @param issueNumber from 1
 * @param workspace its folder `.agentx`, and the locks of this process
 * @returns why the issue is not planned any more; undefined where it may be
 */
export function executionOf(
  issueNumber: number,
  { home, locks }: { home: string; locks: FileLockManager },
): string | undefined {
  const issue = new IssueStore(`${home}/issues`, locks).findReadable(issueNumber);
  if (issue !== undefined && !isOpen(issue)) return `issue #${issueNumber} is closed`;
  if (issue?.status === IN_REVIEW) return `issue #${issueNumber} is in review`;
  const loop = new LoopGate(`${home}/state/loop-state.json`, locks).status(issueNumber);
  if (loop?.status !== "active") return undefined;
  return `the iterative loop of #${issueNumber} is active (iteration ${loop.iteration})`;
}
