/**
 * `agentx loop complete`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { theIssue } from "../issue/input.ts";
import { loopIssue, renderLoop, summary } from "./input.ts";

/** Ends a loop whose criteria are met. */
export const command = defineCommand({
  name: "loop complete",
  summary: "End a loop: the criteria are met",
  kind: "loop",
  examples: ['agentx loop complete 42 -m "All tests pass, coverage 84%"'],
  input: z.object({ ...loopIssue, summary }),
  positional: ["number"],
  async run(context, { summary, ...input }) {
    const issueNumber = theIssue("loop complete", input);
    const { loop } = await context.openWorkspace();
    return { output: { loop: await loop.complete(issueNumber, { summary }) } };
  },
  render: ({ loop }, view) => renderLoop(loop, view),
});
