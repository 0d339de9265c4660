// `agentx workflow merge`: a person takes the work of an issue that is done.

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { AgentxError } from "../../base/errors.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { type MergeParts, mergeWork } from "../../pipeline/merge_work.ts";
import { changeLines } from "../../pipeline/step_change.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

export const command = defineCommand({
  kind: "workflow.merge",
  examples: ["agentx workflow merge 42"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run({ io, openWorkspace, signal }, { issue }) {
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
    return { output: await mergeWork(issue, { ...await openWorkspace(), agrees: asks, signal }) };
  },
  render({ issueNumber, into, committed, changes, merged, removed, kept }, { width }) {
    const count = (number: number, one: string, many: string) =>
      `${number} ${number === 1 ? one : many}`;
    const files = count(committed, "file", "files");
    const branches = count(removed.length, "branch", "branches");
    return [
      ...committed === 0 ? [] : [`Committed ${files} of #${issueNumber}: documents, issue, memory`],
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

/** In full: nobody can agree to what is not shown. */
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
