// `agentx workflow merge`: a person takes the work of an issue that is done.

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { AgentxError } from "../../base/errors.ts";
import { mergeWork } from "../../pipeline/merge_work.ts";
import { terminalLine } from "../../text/text.ts";

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
    return { output: await mergeWork(issue, { ...await openWorkspace(), signal }) };
  },
  render({ issueNumber, into, committed, merged, removed, kept }, { width }) {
    const count = (number: number, one: string, many: string) =>
      `${number} ${number === 1 ? one : many}`;
    const files = count(committed, "file", "files");
    const branches = count(removed.length, "branch", "branches");
    return [
      ...committed === 0 ? [] : [`Committed ${files} of #${issueNumber}: documents, issue, memory`],
      merged.length === 0
        ? `Nothing of #${issueNumber} is left to merge into ${into}`
        : `Merged ${merged.join(", ")} into ${into}`,
      ...removed.length === 0 ? [] : [`Removed ${branches} of #${issueNumber}, with their trees`],
      ...kept.map(({ branch, why }) => `Kept ${branch}: ${why}`),
    ].map((line) => `  ${terminalLine(line, width - 2)}`).join("\n");
  },
});
