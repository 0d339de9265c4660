// The program that `agentx.cjs` of the npm package starts for a hook before a tool. An agent waits for this hook at
// each step, so the program loads nothing else.

import { realIo } from "../../cli/io.ts";
import { guardHookIn } from "../../hooks/guard_call.ts";
import { program } from "../../sys/program.ts";
import { answerGuard } from "./guard.ts";

/** Answers a hook before a tool and ends the process; returns if the process was started for something else. */
export async function run(): Promise<{ stdin?: string }> {
  const hook = guardHookIn(program.args.slice(2));
  if (hook === undefined) return {};
  await answerGuard(realIo({ blocks: true }), hook);
  program.exit(0);
}
