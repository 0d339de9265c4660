import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { criteriaCount } from "../../work/issue/criteria.ts";
import { familyOf, rollUps, rowsBelow } from "../../work/issue/parents.ts";
import { renderTree, type TreeOutput } from "./render_tree.ts";

export const command = defineCommand({
  kind: "issue.tree",
  examples: ["agentx issue tree", "agentx issue tree 12"],
  input: { issue: optional(issueNumber, "Only this issue and its parts") },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues } = await context.openWorkspace();
    const scan = issues.scan();
    const family = familyOf(scan.issues);
    const below = rollUps(family);
    const roots = issue === undefined
      ? family.roots.filter(({ uid, state }) => state === "open" || family.partsOf.has(uid))
      : [issues.get(issue)];
    const output: TreeOutput = {
      issues: rowsBelow(roots, family).map(({ issue, depth }) => ({
        number: issue.number,
        depth,
        title: issue.title,
        status: issue.status,
        state: issue.state,
        parts: below.get(issue.uid) ?? null,
        criteria: criteriaCount(issue.body) ?? null,
      })),
      cycles: family.cycles,
    };
    return { output, exitCode: noteProblems(context.io, scan.problems) };
  },
  render: renderTree,
});
