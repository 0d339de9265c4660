/**
 * `agentx loop status`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { theIssue } from "../issue/input.ts";
import { loopIssue, renderLoop } from "./input.ts";

/** Shows the loop of an issue, or all loops. */
export const command = defineCommand({
  name: "loop status",
  summary: "Show the loop of an issue, or all loops",
  kind: "loop.list",
  examples: ["agentx loop status", "agentx loop status 42"],
  input: z.object(loopIssue),
  positional: ["number"],
  async run(context, input) {
    const isForAll = input.issue === undefined && input.number === undefined;
    const issueNumber = isForAll ? undefined : theIssue("loop status", input);
    const { loop } = await context.openWorkspace();
    const loops = loop.list().filter((one) => isForAll || one.issueNumber === issueNumber);
    return { output: { loops } };
  },
  render({ loops }, view) {
    if (loops.length > 0) return loops.map((loop) => renderLoop(loop, view)).join("\n");
    const next = "Start one with: agentx loop start N";
    return ["  No loop was started.", view.style.dim(`  ${next}`)].join("\n");
  },
});
