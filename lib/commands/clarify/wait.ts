import { type ClarificationRecord, needsHuman } from "../../clarify/schema.ts";
import { NEEDS_HUMAN } from "../../base/errors.ts";
import { renderOutcome } from "./render_outcome.ts";
import { sayingWhyNot, untilAnswered } from "../../clarify/hub/until_answered.ts";
import { defineCommand } from "../../cli/command.ts";
import { durationMs } from "../../cli/inputs.ts";
import { announceWait, note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { noteForSession } from "../../hooks/printed.ts";
import { machinesOf } from "../../workspace/machines.ts";
import { clarificationId } from "./input.ts";

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ["agentx clarify wait CLR-42-001", "agentx clarify wait CLR-42-001 --timeout 90s"],
  input: {
    timeout: optional(durationMs, "Give up after this time (default: never)"),
    id: clarificationId,
  },
  positional: ["id"],
  async run(context, { id, timeout }) {
    const { io, signal } = context;
    const state = await context.openState();
    const { root } = state;
    const records = await state.records();
    const { to } = records.ledger.getById(id);
    const limit = timeout === undefined ? "no time limit" : `${timeout / 1_000} s at most`;
    const stopAnnouncing = announceWait(io, `waiting for ${to} to answer ${id}, ${limit}`);
    try {
      const { ledger, runs } = records;
      const sayWhyNot = sayingWhyNot(runs, (message) => note(io, message));
      const machines = machinesOf(state);
      const whileOpen = async (record: ClarificationRecord) => {
        await machines?.hearAgain();
        await sayWhyNot(record);
      };
      const how = { signal, timeoutMs: timeout, whileOpen };
      const clarification = await untilAnswered(ledger, id, how);
      await noteForSession(io.env, { root, ...records }, clarification);
      const exitCode = needsHuman(clarification.status) ? NEEDS_HUMAN : 0;
      return { output: { clarification }, exitCode };
    } finally {
      stopAnnouncing();
    }
  },
  render: renderOutcome,
});
