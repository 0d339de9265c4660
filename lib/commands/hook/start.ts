/**
 * `agentx hook start`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { hookInput } from "./input.ts";
import { renderHook, runHook } from "./run.ts";

/** Notes that an agent begins its work, and prints what it should know of earlier sessions. */
export const command = defineCommand({
  name: "hook start",
  summary: "Note that an agent begins its work; print what to recall",
  kind: "hook",
  examples: ["agentx hook start engineer 42", "agentx hook start engineer 42 --json"],
  input: z.object(hookInput),
  positional: ["agent", "issue"],
  async run({ io, openWorkspace, signal }, input) {
    return await runHook("start", await openWorkspace(), { ...input, io, signal });
  },
  render: renderHook,
});
