/**
 * `agentx hook start` and `agentx hook finish`, which differ in their phase.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { type Command, defineCommand } from "./command.ts";
import { type HookOutput, type Phase, renderHook, runHook } from "./hook_run.ts";
import { issueNumber } from "./inputs.ts";

const input = z.object({
  agent: agentName("Who works"),
  issue: z.optional(argument(issueNumber, "The issue it works on")),
});

/**
 * @param phase whether the agent begins or ends its work
 * @param summary one line without a final period
 * @returns the command of that phase
 */
export function hookCommand(phase: Phase, summary: string): Command<typeof input, HookOutput> {
  return defineCommand({
    name: `hook ${phase}`,
    summary,
    kind: "hook",
    runsMonitor: true,
    examples: [`agentx hook ${phase} engineer 42`],
    input,
    positional: ["agent", "issue"],
    async run(context, { agent, issue }) {
      const workspace = await context.openWorkspace();
      return { output: await runHook(phase, workspace, { agent, issue }) };
    },
    render: renderHook,
  });
}
