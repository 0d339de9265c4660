import { renderEvent } from "./render_event.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { durationMs } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import type { LogLine } from "../../events/follower.ts";
import { deliveryLines } from "./delivery_line.ts";
import type { DeliveryReport } from "../../hooks/delivery_report.ts";
import { pause } from "../../sys/pause.ts";
import { sys } from "../../sys/mod.ts";
import { DeliveryFollower } from "../../workspace/deliveries.ts";

const POLL_MS = 200;

/** Number of looks at the log for each look at the deliveries. */
const DELIVERIES_EVERY = 5;

interface WatchOutput {
  /** The line of the log; null if only a delivery has changed. */
  event: LogLine | null;
  /** The delivery of the last entry; absent if no host calls hooks. */
  delivery?: DeliveryReport;
  /** The view for people; absent under `--json`. */
  shown?: { nowMs: number; clarification: ClarificationRecord | undefined };
}

export const command = defineCommand({
  kind: "clarification.event",
  runsMonitor: true,
  examples: ["agentx clarify watch", "agentx clarify watch --since 10m | jq .event"],
  jsonLines: true,
  jsonWhenPiped: true,
  input: {
    since: optional(durationMs, "Start with the events of the last TIME"),
  },
  async *run({ openState, io, isJson, signal }, { since }) {
    const state = await openState();
    const { ledger } = state.records();
    const deliveries = new DeliveryFollower(state);
    await deliveries.poll();
    const log = await state.followLog({
      sinceMs: since === undefined ? undefined : sys.now() - since,
    });
    if (io.isTerminal.stderr) note(io, "watching the clarifications; Ctrl-C ends it");
    for (let look = 1; !signal.aborted; look++) {
      for (const event of log.poll()) {
        const { operation, clarificationId } = event;
        if (!operation.startsWith("clarification-") || !clarificationId) continue;
        const clarification = ledger.findReadable(String(clarificationId));
        const delivery = clarification && await deliveries.of(clarification);
        const output: WatchOutput = { event, ...delivery && { delivery } };
        if (!isJson) output.shown = { nowMs: sys.now(), clarification };
        yield { output };
        if (signal.aborted) break;
      }
      const further = look % DELIVERIES_EVERY === 0 ? await deliveries.poll() : [];
      for (const delivery of further) yield { output: { event: null, delivery } };
      await pause(POLL_MS, signal);
    }
    if (io.isTerminal.stderr) io.stderr("\n"); // the terminal has written "^C" on this line
  },
  render: ({ event, delivery, shown }: WatchOutput, view) =>
    [
      ...(event === null
        ? []
        : [renderEvent(event, shown?.clarification, shown?.nowMs ?? 0, view)]),
      ...(delivery === undefined ? [] : deliveryLines(delivery, view)),
    ].join("\n"),
});
