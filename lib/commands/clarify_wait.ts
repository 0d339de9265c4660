/**
 * `agentx clarify wait`.
 *
 * @module
 */

import * as z from "zod/mini";
import type { ClarificationLedger } from "../clarify/ledger.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { AgentxError } from "../errors.ts";
import { argument } from "./arguments.ts";
import { NEEDS_HUMAN, needsHuman, renderOutcome } from "./clarify_outcome.ts";
import { defineCommand } from "./command.ts";
import { clarificationId, durationMs } from "./inputs.ts";
import { announceWait } from "./wait_note.ts";

const POLL_MS = 100;

/** Waits until somebody answered. */
export const command = defineCommand({
  name: "clarify wait",
  summary: "Wait until a clarification is answered",
  kind: "clarification",
  runsMonitor: true,
  examples: ["agentx clarify wait CLR-42-001", "agentx clarify wait CLR-42-001 --timeout 90s"],
  input: z.object({
    timeout: z.optional(argument(durationMs, "Give up after this time (default: never)")),
    id: clarificationId,
  }),
  positional: ["id"],
  async run(context, { id, timeout }) {
    const { io, signal } = context;
    const { ledger } = await context.openState();
    const { to } = ledger.getById(id);
    const limit = timeout === undefined ? "no time limit" : `${timeout / 1_000} s at most`;
    const stopAnnouncing = announceWait(io, `waiting for ${to} to answer ${id}, ${limit}`);
    try {
      const clarification = await untilAnswered(ledger, id, { signal, timeoutMs: timeout });
      const exitCode = needsHuman(clarification.status) ? NEEDS_HUMAN : 0;
      return { output: { clarification }, exitCode };
    } finally {
      stopAnnouncing();
    }
  },
  render: renderOutcome,
});

async function untilAnswered(
  ledger: ClarificationLedger,
  id: string,
  { signal, timeoutMs = Infinity }: { signal: AbortSignal; timeoutMs?: number },
): Promise<ClarificationRecord> {
  const startMs = performance.now();
  while (true) {
    const record = ledger.getById(id);
    if (record.status !== "pending" && record.status !== "stale") return record;
    const leftMs = timeoutMs - (performance.now() - startMs);
    if (leftMs <= 0) throw waitTimeout(record, timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, leftMs)));
    signal.throwIfAborted();
  }
}

function waitTimeout(
  { id, to }: ClarificationRecord,
  waitedMs: number,
): AgentxError<"WAIT_TIMEOUT"> {
  return new AgentxError(
    "WAIT_TIMEOUT",
    `Cannot get an answer to ${id}: ${to} has not answered within ${waitedMs / 1_000} s`,
    {
      details: { clarificationId: id, waitedMs },
      next: `The question stays open; wait again, or answer it with: agentx clarify answer ${id}`,
    },
  );
}
