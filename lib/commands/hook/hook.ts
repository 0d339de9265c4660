/**
 * `agentx hook -Phase start -Agent engineer -Issue 42`: the spelling of the original AgentX.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { usageError } from "../../cli/usage_error.ts";
import { hookInput, transcript } from "./input.ts";
import { renderHook, runHook } from "./run.ts";

/** Notes that an agent begins or ends its work. */
export const command = defineCommand({
  name: "hook",
  summary: "Note that an agent begins or ends its work",
  kind: "hook",
  examples: [
    "agentx hook start engineer 42",
    "agentx hook -Phase finish -Agent engineer -Issue 42",
  ],
  input: z.object({
    phase: argument(z.enum(["start", "finish"]), "Whether it begins or ends"),
    ...hookInput,
    transcript,
  }),
  async run({ io, openWorkspace, signal }, { phase, ...input }) {
    if (phase === "start" && input.transcript !== undefined) {
      const why = "--transcript goes with the phase finish";
      throw usageError("hook", { field: "--transcript", value: input.transcript, why });
    }
    return await runHook(phase, await openWorkspace(), { ...input, io, signal });
  },
  render: renderHook,
});
