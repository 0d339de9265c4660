import { defineCommand } from "../../cli/command.ts";
import { issueName } from "../../cli/inputs.ts";
import { conflictsOf, versionOf } from "../../work/issue/conflicts.ts";
import { deletedIssue } from "../../work/issue/issue_store.ts";
import { familyOf, rollUps } from "../../work/issue/parents.ts";
import { renderIssue } from "./render.ts";

export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue view 42", "agentx issue view -i 42 --json"],
  input: { issue: issueName },
  positional: ["issue"],
  async run(context, { issue: name }) {
    const { issues } = await context.openWorkspace();
    const known = issues.getKnown(name);
    const { ref, issue, isDeleted } = known;
    if (isDeleted) throw deletedIssue(name);
    const family = familyOf(issues.scan().issues);
    const above = family.parentOf.get(issue.uid);
    const parent = above === undefined ? null : { number: above.number, title: above.title };
    const parts = rollUps(family).get(issue.uid) ?? null;
    const version = versionOf(issue);
    return { output: { ref, issue, version, conflicts: conflictsOf(known), parent, parts } };
  },
  render: ({ issue, version: _, ...beside }, view) => renderIssue(issue, view, beside),
});
