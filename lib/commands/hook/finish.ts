/**
 * `agentx hook finish`.
 *
 * @module
 */

import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.ts";
import { hookInput, transcript } from "./input.ts";
import { renderHook, runHook } from "./run.ts";

/** Notes that an agent ends its work, and remembers what its session brought. */
export const command = defineCommand({
  name: "hook finish",
  summary: "Note that an agent ends its work; remember its session",
  kind: "hook",
  examples: [
    "agentx hook finish engineer 42",
    "agentx hook finish engineer 42 --transcript session.jsonl",
  ],
  input: z.object({ transcript, ...hookInput }),
  positional: ["agent", "issue"],
  async run({ io, openWorkspace, signal }, input) {
    return await runHook("finish", await openWorkspace(), { ...input, io, signal });
  },
  render: renderHook,
});
