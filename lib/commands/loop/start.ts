/**
 * `agentx loop start`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { theIssue } from "../issue/input.ts";
import { extended, limitOf, loopIssue, renderLoop } from "./input.ts";

/** Starts the iterative loop of an issue. */
export const command = defineCommand({
  name: "loop start",
  summary: "Start the iterative loop of an issue",
  kind: "loop",
  examples: ["agentx loop start 42", "agentx loop start --issue 42 --extended"],
  input: z.object({ ...loopIssue, extended }),
  positional: ["number"],
  async run(context, { extended, ...input }) {
    const issueNumber = theIssue("loop start", input);
    const workspace = await context.openWorkspace();
    const maxIterations = limitOf(workspace, { issueNumber, isExtended: extended });
    return { output: { loop: await workspace.loop.start(issueNumber, { maxIterations }) } };
  },
  render: ({ loop }, view) => renderLoop(loop, view),
});
