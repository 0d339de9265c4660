// `agentx workflow merge`: a person merges the work of an issue that is done.

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { flag } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { type MergedWork, type MergeParts, mergeWork } from "../../pipeline/merge_work.ts";
import { changeLines } from "../../pipeline/step_change.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Offered } from "../../workspace/pull_request.ts";

export const command = defineCommand({
  kind: "workflow.merge",
  examples: ["agentx workflow merge 42", "agentx workflow merge 42 --pr"],
  input: {
    issue: issueNumber,
    pr: flag("Push the work and open its pull request on GitHub, or update it; merge nothing"),
  },
  positional: ["issue"],
  async run(
    { io, openWorkspace, signal },
    { issue, pr },
  ): Promise<{ output: MergedWork | Offered }> {
    if (actingAgent(io, undefined).session !== undefined) {
      const reasons = ["only a person merges"];
      throw new AgentxError("NOT_READY", `Cannot merge #${issue}: ${reasons[0]}`, {
        details: { issueNumber: issue, reasons },
        next: `Leave it to a person: agentx workflow merge ${issue}`,
      });
    }
    const asks: MergeParts["agrees"] = async (changes) =>
      whyNobodyIsAsked(io) ??
        await agrees(io, "Merge these?", (view) => renderChanges(changes, view));
    const workspace = await openWorkspace();
    if (!pr) return { output: await mergeWork(issue, { ...workspace, agrees: asks, signal }) };
    const { offerOnGitHub } = await import("../../workspace/pull_request.ts");
    return { output: await offerOnGitHub(issue, workspace, { agrees: asks, signal }) };
  },
  render(output, { width }) {
    if ("pullRequest" in output) {
      const { pullRequest, isNew, branch, into, url } = output;
      const did = isNew ? "Opened" : "Updated";
      return `  ${did} pull request #${pullRequest} of ${branch} into ${into}:\n  ${url}`;
    }
    const { issueNumber, into, committed, changes, merged, removed, kept } = output;
    const count = (number: number, one: string, many: string) =>
      `${number} ${number === 1 ? one : many}`;
    const files = count(committed, "file", "files");
    const branches = count(removed.length, "branch", "branches");
    return [
      ...committed === 0
        ? []
        : [`Committed ${files}: documents of #${issueNumber}, issues and memory`],
      merged.length === 0
        ? `Nothing of #${issueNumber} is left to merge into ${into}`
        : `Merged ${merged.join(", ")} into ${into}`,
      ...changes.flatMap(({ issueNumber, ...change }) => {
        const [first, ...files] = changeLines(change);
        return [`#${issueNumber} changed ${first}`, ...files];
      }),
      ...removed.length === 0 ? [] : [`Removed ${branches} of #${issueNumber}, with their trees`],
      ...kept.map(({ branch, why }) => `Kept ${branch}: ${why}`),
    ].map((line) => `  ${terminalLine(line, width - 2)}`).join("\n");
  },
});

/** Renders the changes in full: nobody can agree to a part that is not shown. */
function renderChanges(
  changes: Parameters<MergeParts["agrees"]>[0],
  { style, width }: RenderView,
): string {
  const does = { starts: "starts a program", instructs: "instructs agents" };
  return changes.flatMap(({ path, effect, diff }) => [
    `  ${style.bold(terminalLine(path))} ${does[effect]}:`,
    ...diff.trimEnd().split("\n").flatMap((line) => terminalBlock(line, { indent: "    ", width })),
  ]).join("\n");
}
