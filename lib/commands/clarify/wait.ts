import { NEEDS_HUMAN, needsHuman, renderOutcome } from "../../clarify/render/outcome.ts";
import { describeRun } from "../../clarify/render/runs.ts";
import type { RunState } from "../../clarify/runs.ts";
import { type ClarificationRecord, isUnanswered } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { clarificationId, durationMs } from "../../cli/inputs.ts";
import { announceWait, note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { AgentxError } from "../../errors.ts";
import { pause } from "../../pause.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

const POLL_MS = 100;

/** So many looks at the ledger, and then one at who is on it. */
const LOOKS = 10;

/** Waits until somebody answered. */
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
    const { to } = state.ledger.getById(id);
    const limit = timeout === undefined ? "no time limit" : `${timeout / 1_000} s at most`;
    const stopAnnouncing = announceWait(io, `waiting for ${to} to answer ${id}, ${limit}`);
    try {
      const tell = (message: string) => note(io, message);
      const clarification = await untilAnswered(state, id, { signal, timeoutMs: timeout, tell });
      const exitCode = needsHuman(clarification.status) ? NEEDS_HUMAN : 0;
      return { output: { clarification }, exitCode };
    } finally {
      stopAnnouncing();
    }
  },
  render: renderOutcome,
});

async function untilAnswered(
  state: WorkspaceState,
  id: string,
  { signal, timeoutMs = Infinity, tell }: {
    signal: AbortSignal;
    timeoutMs?: number;
    tell: (message: string) => void;
  },
): Promise<ClarificationRecord> {
  const startMs = performance.now();
  let told: RunState["state"] | undefined;
  for (let look = 0;; look++) {
    const record = state.ledger.getById(id);
    if (!isUnanswered(record)) return record;
    if (look % LOOKS === 0) {
      const run = await runUnlessServed(record, state);
      if (run !== undefined && run.state !== told) tell(standingOf(record, run, state));
      told = run?.state;
    }
    const leftMs = timeoutMs - (performance.now() - startMs);
    if (leftMs <= 0) throw waitTimeout(record, timeoutMs);
    await pause(Math.min(POLL_MS, leftMs), signal);
    signal.throwIfAborted();
  }
}

/** What can be seen of its run; undefined while somebody is on it. */
async function runUnlessServed(
  { id, to }: ClarificationRecord,
  { runs }: WorkspaceState,
): Promise<RunState | undefined> {
  const run = await runs.look(id);
  return run.state === "running" || await runs.isServed(to) ? undefined : run;
}

/** Why nobody may be going to answer. */
function standingOf(
  { id, to }: ClarificationRecord,
  run: RunState,
  { runs }: WorkspaceState,
): string {
  const standing = `${id}: ${describeRun(run, Date.now())}`;
  const otherwise = `answer it with: agentx clarify answer ${id}`;
  return runs.canRun(to)
    ? `${standing}; run it with: agentx clarify retry ${id}, or ${otherwise}`
    : `${standing}, and no command is configured for ${to}; ${otherwise}`;
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
