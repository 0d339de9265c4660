/**
 * `agentx loop iterate`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { theIssue } from "../issue/input.ts";
import { extended, limitOf, loopIssue, renderLoop, summary } from "./input.ts";

/** Goes on to the next iteration of a loop. */
export const command = defineCommand({
  name: "loop iterate",
  summary: "Go on to the next iteration",
  kind: "loop",
  examples: ['agentx loop iterate 42 -m "Two tests still fail"'],
  input: z.object({ ...loopIssue, summary, extended }),
  positional: ["number"],
  async run(context, { summary, extended, ...input }) {
    const issueNumber = theIssue("loop iterate", input);
    const workspace = await context.openWorkspace();
    const maxIterations = limitOf(workspace, { issueNumber, isExtended: extended });
    const options = { summary, maxIterations };
    return { output: { loop: await workspace.loop.iterate(issueNumber, options) } };
  },
  render: ({ loop }, view) => renderLoop(loop, view),
});
