// A runner runs the targets of open questions that no process is running, until it is stopped. It is not a daemon: a
// user starts it in the foreground, for sessions that cannot run agents themselves.

import { roleOf } from "../../base/agent_names.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import type { ClarificationOutcome } from "./outcome.ts";
import type { ClarificationRouter } from "./router.ts";
import type { Runs } from "../runs/runs.ts";
import { type ClarificationRecord, isUnanswered } from "../schema.ts";

/** The name that a runner uses to run targets. */
const RUNNER = "serve";

/** Maximum number of targets that run at the same time. */
const MAX_AT_ONCE = 4;

/** Codes of temporary failures: the same run may succeed later. */
const PASSING: readonly string[] = ["LOCK_TIMEOUT", "GATE_REFUSED"];

/** First wait before a run is tried again after a temporary failure; each further wait is twice as long. */
const AGAIN_MS = 1_000;

export interface RunnerOptions {
  ledger: ClarificationLedger;
  router: () => Promise<ClarificationRouter>;
  runs: Runs;
  /** The role to run the targets of; undefined for all roles. */
  role: string | undefined;
  /** Whether the agents of a role are run here. */
  canRun: (role: string) => boolean;
  /** Called with one sentence for each harmless failure. */
  notify: (message: string) => void;
  /** Stops the runner and its runs; the questions stay open. */
  signal: AbortSignal;
}

export class Runner {
  readonly #options: RunnerOptions;
  /**
   * The questions that were run, by id, round and status, with the time from when each may be run again, on the clock
   * of `performance`. Most questions are run once, and once more when they are stale.
   */
  readonly #tried = new Map<string, { waitMs: number; againAtMs: number }>();
  readonly #running = new Set<Promise<void>>();
  #done: ClarificationOutcome[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Begins to run open questions, up to the limit of parallel runs. Returns the outcomes since the last call. */
  look(): ClarificationOutcome[] {
    const { ledger, runs } = this.#options;
    const open = ledger.scan().clarifications.filter((record) => this.#canTry(record));
    for (const record of open) {
      if (this.#running.size >= MAX_AT_ONCE) break;
      if (runs.look(record.id).state !== "nobody") continue;
      const { waitMs = 0 } = this.#tried.get(keyOf(record)) ?? {};
      this.#tried.set(keyOf(record), { waitMs, againAtMs: Infinity });
      const run = this.#run(record).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
    return this.#done.splice(0);
  }

  /** Resolves when all runs of this runner have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  #canTry(record: ClarificationRecord): boolean {
    const { role, canRun } = this.#options;
    const target = roleOf(record.to);
    const { againAtMs = 0 } = this.#tried.get(keyOf(record)) ?? {};
    return record.foreign !== true && isUnanswered(record) && againAtMs <= performance.now() &&
      (role === undefined || role === target) && canRun(target);
  }

  async #run(record: ClarificationRecord): Promise<void> {
    const { router, signal } = this.#options;
    const { id } = record;
    let isOurs = true;
    try {
      const outcome = await (await router()).runOpen(id, { by: RUNNER, signal });
      isOurs = outcome !== undefined;
      if (outcome !== undefined) this.#done.push(outcome);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      isOurs = !hasCode(error, "INVALID_TRANSITION");
      if (isOurs && !signal.aborted) this.#noteFailure(record, error);
    }
    if (!isOurs) this.#tried.delete(keyOf(record)); // another process runs it, and may die
  }

  /** Reports the first failure of a question, and schedules the next try after a temporary failure. */
  #noteFailure(record: ClarificationRecord, error: AgentxError): void {
    const { notify } = this.#options;
    const isPassing = PASSING.includes(error.code);
    const { waitMs = 0 } = this.#tried.get(keyOf(record)) ?? {};
    if (waitMs === 0) {
      const retrying = isPassing ? "; trying again at growing intervals" : "";
      notify(`${record.id} stays open: ${error.summary}${retrying}`);
    }
    if (!isPassing) return;
    const nextMs = waitMs * 2 || AGAIN_MS;
    this.#tried.set(keyOf(record), { waitMs: nextMs, againAtMs: performance.now() + nextMs });
  }
}

function keyOf({ id, round, status }: ClarificationRecord): string {
  return `${id} ${round} ${status}`;
}
