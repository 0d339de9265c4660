// `agentx clarify run`: the monitor and the hooks run no agent; a person, a script or a timer calls this.

import { needsHuman } from "../../clarify/schema.ts";
import { describeReach } from "../../clarify/reach.ts";
import { type OutcomeOutput, renderOutcome } from "./render_outcome.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { flag, optional } from "../../cli/spec.ts";
import { EXIT_CODES, NEEDS_HUMAN } from "../../base/errors.ts";
import { deliveryLines } from "./delivery_line.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { deliver, type DoneReport } from "../../workspace/deliver.ts";
import { clarificationId } from "./input.ts";
import { runAnnounced } from "./run_note.ts";

const MAX_REASON = 300;

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
  async run(context, { id, dryRun }): Promise<Result<Output>> {
    if (id !== undefined) return await runOne(context, id);
    const { openWorkspace, signal } = context;
    const deliveries = await deliver(await openWorkspace(), { isDryRun: dryRun, signal });
    const hasFailed = deliveries.some(({ action }) => action === "failed");
    return { output: { deliveries }, exitCode: hasFailed ? EXIT_CODES.AGENT_ERROR : 0 };
  },
  render(output: Output, view) {
    if (!("deliveries" in output)) return renderOutcome(output, view);
    const { deliveries } = output;
    if (deliveries.length === 0) return "  Nothing waits to be read.";
    return deliveries.flatMap((each) => [...deliveryLines(each, view), ...doneLines(each, view)])
      .join("\n");
  },
});

async function runOne(context: Context, id: string): Promise<Result<OutcomeOutput>> {
  const { io, signal } = context;
  const workspace = await context.openWorkspace();
  const router = await workspace.router();
  const output = await runAnnounced(
    context,
    workspace,
    (onAsked) => router.autoRetry(id, { signal, onAsked }),
  );
  const { newStatus, reach } = output;
  if (reach !== undefined) note(io, `nothing was run: ${describeReach(reach)}`);
  return { kind: "clarification", output, exitCode: needsHuman(newStatus) ? NEEDS_HUMAN : 0 };
}

function doneLines(
  { action, reason, kind, id }: DoneReport,
  { width, isPiped }: RenderView,
): string[] {
  const lines: Record<DoneReport["action"], string> = {
    woken: "its session was woken and has read it",
    run: `the target has answered; read it with: agentx clarify ${id.replace(/\.\d+$/, "")}`,
    failed: "failed",
    due: kind === "answer" ? "its session would be woken" : "its target would be run",
    none: "nothing was run",
  };
  if (action === "none" && reason === null) return [];
  const why = reason === null ? "" : `: ${terminalLine(reason, MAX_REASON)}`;
  const line = `${lines[action]}${why}`;
  return isPiped ? [`    ${line}`] : terminalBlock(line, { indent: "    ", width });
}
