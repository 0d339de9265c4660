// The only way to wait for an answer that another process, agent or human gives. It polls the ledger, so the waiting
// process needs no connection to the one that writes the answer.

import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import { describeReach, describeRun, type RunState, waysOut } from "../reach.ts";
import type { Runs } from "../runs/runs.ts";
import { type ClarificationRecord, isOverdue, isUnanswered } from "../schema.ts";

const POLL_MS = 100;

/** Number of ledger reads for each look at the runs. */
const READS_PER_LOOK = 10;

/** Limits of a wait, and the work to do during it. */
interface WaitOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** The round to wait for. When another round begins, the wait ends too: its question is a different one. */
  round?: number;
  /** Whether the wait ends when the question is overdue. */
  untilOverdue?: boolean;
  /** Called with the open question after each read; true ends the wait. */
  whileOpen?: (record: ClarificationRecord) => unknown;
}

/**
 * Waits until the last question of a clarification is answered. Throws `NOT_FOUND`, `WAIT_TIMEOUT`; or the reason of
 * the signal.
 */
export async function untilAnswered(
  ledger: ClarificationLedger,
  id: string,
  { signal, timeoutMs = Infinity, round, untilOverdue, whileOpen }: WaitOptions,
): Promise<ClarificationRecord> {
  const startMs = performance.now();
  while (true) {
    const record = ledger.getById(id);
    const isOpen = isUnanswered(record) && record.round === (round ?? record.round);
    if (!isOpen || await whileOpen?.(record) === true) return record;
    if (untilOverdue && isOverdue(record, sys.now())) return record;
    const leftMs = timeoutMs - (performance.now() - startMs);
    if (leftMs <= 0) throw waitTimeout(record, timeoutMs);
    await sys.wait(Math.min(POLL_MS, leftMs), signal);
  }
}

/**
 * Returns a `whileOpen` callback that reports why an answer may never come, once for each state of the run. It never
 * ends the wait.
 */
export function sayingWhyNot(runs: Runs, say: (message: string) => void) {
  let reads = 0;
  let said: RunState["state"] | undefined;
  return async ({ id, to }: ClarificationRecord): Promise<void> => {
    if (reads++ % READS_PER_LOOK !== 0) return;
    const run = runs.look(id);
    const isBeingRun = run.state === "running" || runs.isServed(to);
    if (!isBeingRun && run.state !== said) say(await whyNot(run, to, runs));
    said = isBeingRun ? undefined : run.state;
  };
}

async function whyNot(run: RunState, to: string, runs: Runs): Promise<string> {
  const id = run.clarificationId;
  const reach = await runs.reach(to);
  if (run.state === "nobody" && reach.by !== "run") {
    return `${id}: ${describeReach(reach)}; ${waysOut(reach, id).join("; ")}`;
  }
  return `${id}: ${describeRun(run, sys.now())}; run it with: agentx clarify run ${id}, ` +
    `or answer it with: agentx answer ${id}`;
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
      next: `The question stays open; wait again, or answer it with: agentx answer ${id}`,
    },
  );
}
