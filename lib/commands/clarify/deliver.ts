import { defineCommand } from "../../cli/command.ts";
import { flag } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../base/errors.ts";
import { deliveryLines } from "../../hooks/delivery_line.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { deliver, type DoneReport } from "../../workspace/deliver.ts";

const MAX_REASON = 300;

/** Hooks start no agent: a person, a script or a timer calls this. */
export const command = defineCommand({
  kind: "clarification.delivery",
  runsMonitor: true,
  examples: ["agentx clarify run", "agentx clarify run --dry-run"],
  input: { dryRun: flag("Show what would be done, and run no agent") },
  async run({ openWorkspace, signal }, { dryRun }) {
    const deliveries = await deliver(await openWorkspace(), { isDryRun: dryRun, signal });
    const hasFailed = deliveries.some(({ action }) => action === "failed");
    return { output: { deliveries }, exitCode: hasFailed ? EXIT_CODES.AGENT_ERROR : 0 };
  },
  render: ({ deliveries }: { deliveries: DoneReport[] }, view) =>
    deliveries.length === 0
      ? "  Nothing waits to be read."
      : deliveries.flatMap((each) => [...deliveryLines(each, view), ...doneLines(each, view)]).join(
        "\n",
      ),
});

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
