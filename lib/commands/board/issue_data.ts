// Reads the data of an issue's page, for any number of issues at once.

import type { IssueChoices, IssueData, IssueRef, StepRow } from "../../board/views/issue.ts";
import { orElse } from "../../base/errors.ts";
import { dependencyGraph } from "../../work/issue/dependencies.ts";
import { historyOf } from "../../work/issue/history.ts";
import type { KnownIssue } from "../../work/issue/issue_files.ts";
import { ISSUE_TYPES } from "../../work/issue/labels.ts";
import { familyOf } from "../../work/issue/parents.ts";
import { versionOf } from "../../work/issue/conflicts.ts";
import type { Workspace } from "../../workspace/open.ts";

/** @returns a function that reads the data of an issue, except its threads and observations */
export async function issueReader(
  workspace: Workspace,
): Promise<(known: KnownIssue) => Omit<IssueData, "threads" | "observations">> {
  const scan = workspace.issues.scan();
  const { parentOf, partsOf } = familyOf(scan.issues);
  const graph = dependencyGraph(scan.issues);
  const { waiting } = await workspace.ready.list(scan);
  const reasons = new Map(waiting.map(({ number, reasons }) => [number, reasons]));
  const byNumber = new Map(scan.issues.map((issue) => [issue.number, issue]));
  const named = (number: number): IssueRef => {
    const { title, status } = byNumber.get(number) ?? {};
    return { number, title, status };
  };
  return (known) => {
    const { number, uid } = known.issue;
    const parent = parentOf.get(uid)?.number;
    return {
      issue: known.issue,
      history: historyOf(known),
      reasons: reasons.get(number),
      blockedBy: (graph.blockedBy.get(number) ?? []).map(named),
      blocks: (graph.blocks.get(number) ?? []).map(named),
      parent: parent === undefined ? undefined : named(parent),
      parts: (partsOf.get(uid) ?? []).map(({ number }) => named(number)),
      steps: stepsOf(number, workspace),
    };
  };
}

/** @returns the choices for an issue */
export function choicesFor({ issue }: KnownIssue, workspace: Workspace): IssueChoices {
  return {
    version: versionOf(issue),
    types: typesIn(workspace),
    agents: [...workspace.knownAgents()].sort(),
  };
}

/** @returns the types that an issue can have */
export function typesIn(workspace: Workspace): string[] {
  return [...new Set([...workspace.workflowTypes(), ...ISSUE_TYPES])].sort();
}

/** Returns the steps of an issue; none if its type has no workflow. */
function stepsOf(issue: number, { workflowOf }: Workspace): StepRow[] {
  return orElse([], () => workflowOf(issue).steps);
}
