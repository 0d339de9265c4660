import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { renderLoop } from "./loop.ts";

export const command = defineCommand({
  kind: "loop.list",
  examples: ["agentx loop status", "agentx loop status 42"],
  input: { issue: optional(issueNumber) },
  positional: ["issue"],
  async run(context, { issue }) {
    const { loop } = await context.openWorkspace();
    const loops = loop.list().filter((one) => issue === undefined || one.issueNumber === issue);
    return { output: { loops } };
  },
  render({ loops }, view) {
    if (loops.length > 0) return loops.map((loop) => renderLoop(loop, view)).join("\n");
    const next = "Start one with: agentx loop start N";
    return ["  No loops.", view.style.dim(`  ${next}`)].join("\n");
  },
});
