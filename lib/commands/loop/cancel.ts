/**
 * `agentx loop cancel`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { theIssue } from "../issue/input.ts";
import { loopIssue, renderLoop, summary } from "./input.ts";

/** Gives a loop up. */
export const command = defineCommand({
  name: "loop cancel",
  summary: "Give a loop up: the issue is not handed over",
  kind: "loop",
  examples: ['agentx loop cancel 42 -m "The design has to change"'],
  input: z.object({ ...loopIssue, summary }),
  positional: ["number"],
  async run(context, { summary, ...input }) {
    const issueNumber = theIssue("loop cancel", input);
    const { loop } = await context.openWorkspace();
    return { output: { loop: await loop.cancel(issueNumber, { summary }) } };
  },
  render: ({ loop }, view) => renderLoop(loop, view),
});
