// `agentx clarify run`: the monitor and the hooks run no agent; a person, a script or a timer calls this.

import type { OutcomeOutput } from "../../clarify/render/outcome.ts";
import { defineCommand, type Result, resultOf } from "../../cli/command.ts";
import { flag, optional } from "../../cli/spec.ts";
import type { DoneReport } from "../../workspace/deliver.ts";
import { command as deliver } from "./deliver.ts";
import { clarificationId } from "./input.ts";
import { command as retry } from "./retry.ts";

type Output = OutcomeOutput | { deliveries: DoneReport[] };

export const command = defineCommand({
  kind: "clarification.delivery",
  runsMonitor: true,
  examples: [
    "agentx clarify run --dry-run",
    "agentx clarify run",
    "agentx clarify run CLR-42-001",
  ],
  input: {
    dryRun: flag("Show what would be done, and run no agent"),
    id: optional(clarificationId, "Only the target of this clarification (default: all)"),
  },
  positional: ["id"],
  conflicts: { id: ["dryRun"] },
  run: (context, { id, dryRun }): Promise<Result<Output>> =>
    id === undefined ? resultOf(deliver, context, { dryRun }) : resultOf(retry, context, { id }),
  render: (output, view) =>
    "deliveries" in output ? deliver.render(output, view) : retry.render(output, view),
});
