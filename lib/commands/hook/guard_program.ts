// The program that `agentx.js` of the npm package starts for a hook before a tool: an agent waits for it
// at each step, so it loads nothing else.

import { realIo } from "../../cli/io.ts";
import { guardHookIn } from "../../hooks/guard_call.ts";
import { program } from "../../sys/program.ts";
import { answerGuard } from "./guard.ts";

/** Answers such a hook; false if this process was started for something else. */
export async function runGuard(): Promise<boolean> {
  const hook = guardHookIn(program.args.slice(2));
  if (hook === undefined) return false;
  await answerGuard(realIo(), hook);
  program.exit(0);
}
