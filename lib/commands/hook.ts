/**
 * `agentx hook -Phase start -Agent engineer -Issue 42`: the spelling of the original AgentX.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";
import { renderHook, runHook } from "./hook_run.ts";
import { issueNumber } from "./inputs.ts";

/** Notes that an agent begins or ends its work. */
export const command = defineCommand({
  name: "hook",
  summary: "Note that an agent begins or ends its work",
  kind: "hook",
  runsMonitor: true,
  examples: [
    "agentx hook start engineer 42",
    "agentx hook -Phase finish -Agent engineer -Issue 42",
  ],
  input: z.object({
    phase: argument(z.enum(["start", "finish"]), "Whether it begins or ends"),
    agent: agentName("Who works"),
    issue: z.optional(argument(issueNumber, "The issue it works on")),
  }),
  async run(context, { phase, agent, issue }) {
    const workspace = await context.openWorkspace();
    return { output: await runHook(phase, workspace, { agent, issue }) };
  },
  render: renderHook,
});
