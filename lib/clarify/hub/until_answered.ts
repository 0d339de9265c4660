// The one way to wait for an answer that another process, agent or human gives: the ledger is read again
// and again, so that nobody has to be running when it is written.

import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import { describeReach, describeRun, type RunState, waysOut } from "../reach.ts";
import type { Runs } from "../runs/runs.ts";
import { type ClarificationRecord, isOverdue, isUnanswered } from "../schema.ts";

const POLL_MS = 100;

/** The runs are looked at once in so many reads of the ledger. */
const READS_PER_LOOK = 10;

/** The length of a wait, and the work meanwhile. */
interface WaitOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Another round ends the wait too: its question is another one. */
  round?: number;
  /** Whether it ends when the question has waited longer than it may. */
  untilOverdue?: boolean;
  /** Called with the open question after each read; true ends the wait. */
  whileOpen?: (record: ClarificationRecord) => unknown;
}

/**
 * Waits until the last question of a clarification is answered. Throws `NOT_FOUND`, `WAIT_TIMEOUT`;
 * the reason of the signal.
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
 * Says why an answer may never come, once for each state of the run; a `whileOpen` that ends no
 * wait.
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
