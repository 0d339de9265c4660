// `agentx clarify run`. The monitor runs no agent: this is how a person runs one again.

import { describeReach } from "../../clarify/reach.ts";
import { NEEDS_HUMAN, needsHuman, renderOutcome } from "../../clarify/render/outcome.ts";
import { defineCommand } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { clarificationId } from "./input.ts";
import { runAnnounced } from "./run_note.ts";

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ["agentx clarify run CLR-42-001"],
  input: { id: clarificationId },
  positional: ["id"],
  async run(context, { id }) {
    const { io, signal } = context;
    const workspace = await context.openWorkspace();
    const outcome = await runAnnounced(
      context,
      workspace,
      (onAsked) => workspace.router.autoRetry(id, { signal, onAsked }),
    );
    const { newStatus, reach } = outcome;
    if (reach !== undefined) note(io, `nothing was run: ${describeReach(reach)}`);
    return { output: outcome, exitCode: needsHuman(newStatus) ? NEEDS_HUMAN : 0 };
  },
  render: renderOutcome,
});
