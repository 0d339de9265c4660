/**
 * `agentx hook finish`.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";
import { renderHook, runHook } from "./hook_run.ts";
import { issueNumber } from "./inputs.ts";

/** Notes that an agent ends its work. */
export const command = defineCommand({
  name: "hook finish",
  summary: "Note that an agent ends its work",
  kind: "hook",
  runsMonitor: true,
  examples: ["agentx hook finish engineer 42"],
  input: z.object({
    agent: agentName("Who works"),
    issue: z.optional(argument(issueNumber, "The issue it works on")),
  }),
  positional: ["agent", "issue"],
  async run(context, { agent, issue }) {
    const workspace = await context.openWorkspace();
    return { output: await runHook("finish", workspace, { agent, issue }) };
  },
  render: renderHook,
});
