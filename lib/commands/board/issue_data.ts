// What the page of an issue shows of it, read for any number of issues at once.

import type { IssueData, StepRow } from "../../board/views/issue.ts";
import { orElse } from "../../base/errors.ts";
import { dependencyGraph } from "../../work/issue/dependencies.ts";
import { historyOf } from "../../work/issue/history.ts";
import type { KnownIssue } from "../../work/issue/issue_files.ts";
import { familyOf } from "../../work/issue/parents.ts";
import type { Workspace } from "../../workspace/open.ts";

/** @returns what gives it, beside its threads and what is remembered */
export async function issueReader(
  workspace: Workspace,
): Promise<(known: KnownIssue) => Omit<IssueData, "threads" | "observations">> {
  const scan = workspace.issues.scan();
  const { parentOf, partsOf } = familyOf(scan.issues);
  const graph = dependencyGraph(scan.issues);
  const { waiting } = await workspace.ready.list(scan);
  const reasons = new Map(waiting.map(({ number, reasons }) => [number, reasons]));
  return (known) => {
    const { number, uid } = known.issue;
    return {
      issue: known.issue,
      history: historyOf(known),
      reasons: reasons.get(number),
      blockedBy: [...graph.blockedBy.get(number) ?? []],
      blocks: [...graph.blocks.get(number) ?? []],
      parent: parentOf.get(uid),
      parts: partsOf.get(uid) ?? [],
      steps: stepsOf(number, workspace),
    };
  };
}

/** An issue of a type that there is no workflow for is shown without steps. */
function stepsOf(issue: number, { workflowOf }: Workspace): StepRow[] {
  return orElse([], () => workflowOf(issue).steps);
}
