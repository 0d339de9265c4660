/**
 * The iterative loop of each issue: `.agentx/state/loop-state.json` (PRD "Iterative Loop System").
 *
 * An agent whose step iterates starts a loop, notes each iteration, and completes the loop once the
 * criteria of its step are met. Until then its work is not handed over: that is the gate.
 *
 * @module
 */

import { MAX_BODY } from "../../clarify/schema.ts";
import type { AgentxError } from "../../errors.ts";
import { checkIssueNumber, checkText } from "../../input_checks.ts";
import { type FileLockManager, JsonFile } from "../../lock/mod.ts";
import { cutting } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isoTime } from "../../time.ts";
import {
  type LoopFile,
  loopFileProblem,
  loopIn,
  type LoopState,
  MAX_ITERATIONS,
  renumberLoops,
} from "./loop_state.ts";
import { neverStarted, refused, shut } from "./refusals.ts";

/** Options of {@linkcode LoopGate}. */
export interface LoopGateOptions {
  /**
   * If true, an issue for which no loop was started may not be handed over either.
   *
   * @default {false}
   */
  isRequired?: boolean;
  /**
   * Gives the `uid` of an issue, if it is known; its loop notes it.
   *
   * @default {() => undefined}
   */
  uidOf?: (issueNumber: number) => string | undefined;
  /**
   * Called with what was cut from a summary before it was written: private parts and secrets.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** Options of the changes of a loop. */
export interface LoopStepOptions {
  /**
   * What was done, 1 to 2000 characters.
   *
   * @default {undefined}
   */
  summary?: string;
  /**
   * Limit of the iterations; it may be raised while the loop is active.
   *
   * @default {10}
   */
  maxIterations?: number;
}

/**
 * Owner of `.agentx/state/loop-state.json`: the iterative loops of issues, and the gate that they are.
 *
 * @example The gate is shut while a loop is active
 * ```ts
 * import { FileLockManager, LoopGate } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const path = `${folder}/loop-state.json`;
 * const loop = new LoopGate(path, new FileLockManager());
 * await loop.start(42);
 * await loop.iterate(42, { summary: "Two tests still fail" });
 * assertEquals(loop.checkLoopGate(42)?.code, "GATE_REFUSED");
 * await loop.complete(42);
 * assertEquals(loop.checkLoopGate(42), undefined);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export class LoopGate {
  readonly #file: JsonFile<LoopFile>;
  readonly #isRequired: boolean;
  readonly #uidOf: (issueNumber: number) => string | undefined;
  readonly #notify: (message: string) => void;

  /**
   * Opens the file, which need not exist.
   *
   * @param path `.agentx/state/loop-state.json`
   * @param locks the locks of this process
   * @param options whether every issue needs a loop, and who is told what was cut
   */
  constructor(path: string, locks: FileLockManager, options: LoopGateOptions = {}) {
    const { isRequired = false, notify = () => {} } = options;
    this.#file = new JsonFile(path, locks, { problemWith: loopFileProblem, kind: "state" });
    this.#isRequired = isRequired;
    this.#uidOf = options.uidOf ?? (() => undefined);
    this.#notify = notify;
  }

  /**
   * Reads all loops.
   *
   * @returns the loops of all issues, by number
   * @throws {AgentxError} `CORRUPT_STATE`
   */
  list(): LoopState[] {
    return Object.values(this.#file.read() ?? {}).sort((a, b) => a.issueNumber - b.issueNumber);
  }

  /**
   * Reads one loop.
   *
   * @param issueNumber from 1
   * @returns the loop of an issue; undefined if none was ever started
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  status(issueNumber: number): LoopState | undefined {
    return loopIn(this.#file.read() ?? {}, checkIssueNumber(issueNumber));
  }

  /**
   * Starts the loop of an issue with its first iteration; after a loop that is over, a fresh one.
   *
   * @param issueNumber from 1
   * @param options the limit
   * @returns the loop
   * @throws {AgentxError} `GATE_REFUSED` if it is active; `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async start(
    issueNumber: number,
    { maxIterations = MAX_ITERATIONS }: Pick<LoopStepOptions, "maxIterations"> = {},
  ): Promise<LoopState> {
    const started = isoTime(sys.now());
    const issueUid = this.#uidOf(issueNumber);
    return await this.#change(issueNumber, (loop) => {
      if (loop?.status === "active") throw refused(loop, "start", "it is already active");
      const fresh: LoopState = {
        issueNumber,
        status: "active",
        iteration: 1,
        maxIterations,
        started,
        updated: started,
        history: [],
        ...(issueUid === undefined ? {} : { issueUid }),
      };
      return { ...loop, ...fresh };
    });
  }

  /**
   * Goes on to the next iteration.
   *
   * @param issueNumber from 1
   * @param options what the iteration that ends has done, and a higher limit
   * @returns the loop
   * @throws {AgentxError} `NOT_FOUND` if none was started; `GATE_REFUSED` if it is over, or the limit
   *   is reached; `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async iterate(issueNumber: number, options: LoopStepOptions = {}): Promise<LoopState> {
    const { summary, maxIterations = 0 } = options;
    return await this.#changeActive(issueNumber, "iterate", summary, (loop) => {
      loop.maxIterations = Math.max(loop.maxIterations, maxIterations);
      if (loop.iteration >= loop.maxIterations) {
        throw refused(loop, "iterate", `all of its ${loop.maxIterations} iterations are used`);
      }
      loop.iteration++;
    });
  }

  /**
   * Ends the loop of an issue: the criteria are met, and the gate is open.
   *
   * @param issueNumber from 1
   * @param options what the last iteration has done
   * @returns the loop
   * @throws {AgentxError} as {@linkcode LoopGate.iterate}
   */
  async complete(
    issueNumber: number,
    { summary }: Pick<LoopStepOptions, "summary"> = {},
  ): Promise<LoopState> {
    return await this.#changeActive(issueNumber, "complete", summary, (loop) => {
      loop.status = "complete";
    });
  }

  /**
   * Cancels the loop of an issue: the gate stays closed until another one is complete.
   *
   * @param issueNumber from 1
   * @param options why
   * @returns the loop
   * @throws {AgentxError} as {@linkcode LoopGate.iterate}
   */
  async cancel(
    issueNumber: number,
    { summary }: Pick<LoopStepOptions, "summary"> = {},
  ): Promise<LoopState> {
    return await this.#changeActive(issueNumber, "cancel", summary, (loop) => {
      loop.status = "cancelled";
    });
  }

  /**
   * Says whether the work on an issue may be handed over.
   *
   * @param issueNumber from 1
   * @returns the `GATE_REFUSED` to throw while its loop is active or was cancelled, or where one is
   *   required and none was started; undefined if it may be handed over
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  checkLoopGate(issueNumber: number): AgentxError<"GATE_REFUSED"> | undefined {
    const loop = this.status(issueNumber);
    if (loop === undefined) {
      if (!this.#isRequired) return undefined;
      return shut(issueNumber, "no iterative loop was started", "start");
    }
    const { status, iteration, maxIterations } = loop;
    if (status === "complete") return undefined;
    if (status === "cancelled") {
      return shut(issueNumber, "its iterative loop was cancelled", "start");
    }
    const why = `its iterative loop is active (iteration ${iteration} of ${maxIterations})`;
    return shut(issueNumber, why, "complete");
  }

  /**
   * Moves the loops of issues that were renumbered.
   *
   * @param numbers the number of each issue, by its `uid`
   * @param agent who does it; shown to those who wait
   * @returns the numbers that they had before
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renumber(numbers: ReadonlyMap<string, number>, agent: string): Promise<number[]> {
    const moving = this.list().filter(({ issueUid, issueNumber }) => {
      const number = issueUid === undefined ? undefined : numbers.get(issueUid);
      return number !== undefined && number !== issueNumber;
    });
    if (moving.length === 0) return [];
    await this.#file.update(agent, (loops = {}) => renumberLoops(loops, numbers));
    return moving.map(({ issueNumber }) => issueNumber);
  }

  async #changeActive(
    issueNumber: number,
    action: string,
    summary: string | undefined,
    change: (loop: LoopState) => void,
  ): Promise<LoopState> {
    const said = summary === undefined ? [] : [await this.#checked(issueNumber, summary)];
    const timestamp = isoTime(sys.now());
    return await this.#change(issueNumber, (loop) => {
      if (loop === undefined) throw neverStarted(issueNumber);
      const { status, iteration } = loop;
      if (status !== "active") throw refused(loop, action, `it is already ${status}`);
      change(loop);
      loop.history.push(...said.map((summary) => ({ iteration, summary, timestamp })));
      loop.updated = timestamp;
      return loop;
    });
  }

  async #checked(issueNumber: number, summary: string): Promise<string> {
    const check = (text: string) => checkText("summary", text, MAX_BODY);
    return await cutting((cut) => cut("summary", check(summary), check), {
      what: `the summary for #${issueNumber}`,
      notify: this.#notify,
    });
  }

  async #change(
    issueNumber: number,
    change: (loop: LoopState | undefined) => LoopState,
  ): Promise<LoopState> {
    const key = String(checkIssueNumber(issueNumber));
    const file = await this.#file.update("loop", (loops = {}) => {
      loops[key] = change(loopIn(loops, issueNumber));
      return loops;
    });
    return file[key];
  }
}
