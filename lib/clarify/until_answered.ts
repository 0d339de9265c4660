/**
 * Waiting for the answer to a clarification that another agent gives.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import type { ClarificationLedger } from "./ledger.ts";
import { describeRun } from "./render/runs.ts";
import type { Runs, RunState } from "./runs.ts";
import { type ClarificationRecord, isUnanswered } from "./schema.ts";

const POLL_MS = 100;

/** So many looks at the ledger, and then one at who is on it. */
const LOOKS = 10;

/** Where it is seen whether there is an answer, and who is on it. */
interface Place {
  ledger: ClarificationLedger;
  runs: Runs;
}

/**
 * Waits until a clarification is answered, and tells why an answer may never come.
 *
 * @param id of the clarification
 * @returns the clarification as it is then
 * @throws {AgentxError} `WAIT_TIMEOUT`; the reason of the signal
 */
export async function untilAnswered(
  place: Place,
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
    const record = place.ledger.getById(id);
    if (!isUnanswered(record)) return record;
    if (look % LOOKS === 0) {
      const run = await runUnlessServed(record, place);
      if (run !== undefined && run.state !== told) tell(standingOf(record, run, place));
      told = run?.state;
    }
    const leftMs = timeoutMs - (performance.now() - startMs);
    if (leftMs <= 0) throw waitTimeout(record, timeoutMs);
    await sys.wait(Math.min(POLL_MS, leftMs), signal);
  }
}

/** What can be seen of its run; undefined while a process is on it. */
async function runUnlessServed(
  { id, to }: ClarificationRecord,
  { runs }: Place,
): Promise<RunState | undefined> {
  const run = await runs.look(id);
  return run.state === "running" || await runs.isServed(to) ? undefined : run;
}

/** Why an answer may never come. */
function standingOf(
  { id, to }: ClarificationRecord,
  run: RunState,
  { runs }: Place,
): string {
  const standing = `${id}: ${describeRun(run, sys.now())}`;
  const otherwise = `answer it with: agentx clarify answer ${id}`;
  return runs.canRun(to)
    ? `${standing}; run it with: agentx clarify retry ${id}, or ${otherwise}`
    : `${standing}, and nothing says how ${to} is run; ${otherwise}`;
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
