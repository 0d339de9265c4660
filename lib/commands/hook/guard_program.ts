// The program that `agentx.cjs` of the npm package starts for a hook before a tool: an agent waits for it
// at each step, so it loads nothing else.

import { realIo } from "../../cli/io.ts";
import { guardHookIn } from "../../hooks/guard_call.ts";
import { program } from "../../sys/program.ts";
import { answerGuard } from "./guard.ts";

/** Answers such a hook, and ends; returns if this process was started for something else. */
export async function run(): Promise<{ stdin?: string }> {
  const hook = guardHookIn(program.args.slice(2));
  if (hook === undefined) return {};
  await answerGuard(realIo({ blocks: true }), hook);
  program.exit(0);
}
