/**
 * `agentx clarify retry`. The monitor runs no agent: this is how somebody runs one again.
 *
 * @module
 */

import * as z from "zod/mini";
import { NEEDS_HUMAN, needsHuman, renderOutcome } from "./clarify_outcome.ts";
import { defineCommand } from "./command.ts";
import { note } from "./execute.ts";
import { clarificationId } from "./inputs.ts";
import { announceWait } from "./wait_note.ts";

/** Runs the target of an open question once more. */
export const command = defineCommand({
  name: "clarify retry",
  summary: "Run the target of an open question once more",
  kind: "clarification",
  runsMonitor: true,
  examples: ["agentx clarify retry CLR-42-001"],
  input: z.object({ id: clarificationId }),
  positional: ["id"],
  async run({ io, signal, openWorkspace }, { id }) {
    const { router } = await openWorkspace();
    const stopAnnouncing = announceWait(io, "waiting for the answer; Ctrl-C stops waiting");
    try {
      const outcome = await router.autoRetry(id, signal);
      const { retried, newStatus, clarification } = outcome;
      if (!retried) note(io, `nothing was run: no command is configured for ${clarification.to}`);
      return { output: outcome, exitCode: needsHuman(newStatus) ? NEEDS_HUMAN : 0 };
    } finally {
      stopAnnouncing();
    }
  },
  render: renderOutcome,
});
