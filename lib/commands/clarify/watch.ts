import { renderEvent } from "../../clarify/render/event.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { durationMs } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import type { LogLine } from "../../events/follower.ts";
import { pause } from "../../pause.ts";
import { sys } from "../../sys/mod.ts";

const POLL_MS = 200;

interface WatchOutput {
  /** The line of the log. */
  event: LogLine;
  /** What it takes to tell people of it; absent under `--json`. */
  shown?: { nowMs: number; clarification: ClarificationRecord | undefined };
}

export const command = defineCommand({
  kind: "clarification.event",
  runsMonitor: true,
  examples: ["agentx clarify watch", "agentx clarify watch --since 10m | jq .event"],
  jsonLines: true,
  jsonWhenPiped: true,
  input: {
    since: optional(durationMs, "Start with the events of this time"),
  },
  async *run({ openState, io, isJson, signal }, { since }) {
    const { ledger, followLog } = await openState();
    const log = await followLog({ sinceMs: since === undefined ? undefined : sys.now() - since });
    if (io.isTerminal.stderr) note(io, "watching the clarifications; Ctrl-C ends it");
    while (!signal.aborted) {
      for (const event of log.poll()) {
        const { operation, clarificationId } = event;
        if (!operation.startsWith("clarification-") || !clarificationId) continue;
        const output: WatchOutput = { event };
        if (!isJson) {
          const clarification = ledger.findReadable(String(clarificationId));
          output.shown = { nowMs: sys.now(), clarification };
        }
        yield { output };
        if (signal.aborted) break;
      }
      await pause(POLL_MS, signal);
    }
    if (io.isTerminal.stderr) io.stderr("\n"); // the terminal has written "^C" on this line
  },
  render: ({ event, shown }: WatchOutput, view) =>
    renderEvent(event, shown?.clarification, shown?.nowMs ?? 0, view),
});
