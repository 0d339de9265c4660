/**
 * The program that `agentx.js` of the npm package starts for a hook before a tool: an agent waits for it at
 * each step, and it loads nothing else.
 *
 * @module
 */

import { realIo } from "../../cli/io.ts";
import { guardHookIn } from "../../hooks/guard_call.ts";
import { program } from "../../sys/program.ts";
import { answerGuard } from "./guard.ts";

/** @returns whether this process was started for such a hook; then it is answered */
export async function runGuard(): Promise<boolean> {
  const hook = guardHookIn(program.args.slice(2));
  if (hook === undefined) return false;
  await answerGuard(realIo(), hook);
  program.exit(0);
}
