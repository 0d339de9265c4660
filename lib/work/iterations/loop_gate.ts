// The iterative loop of each issue: `.agentx/state/loop-state.json` (PRD "Iterative Loop System").
//
// An agent on an iterating step starts a loop, records each iteration, and completes the loop once the step's
// criteria are met. Until then, the gate refuses to hand over the agent's work.

import { MAX_BODY, noteIssue } from "../../clarify/schema.ts";
import { type Origin, OWN_ORIGIN } from "../../base/origin.ts";
import { checkIssueNumber, checkText } from "../../base/input_checks.ts";
import { type FileLockManager, JsonFile } from "../../lock/mod.ts";
import { cutting } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isoTime } from "../../base/time.ts";
import {
  isLoop,
  type IssueProgress,
  type LoopFile,
  loopFileProblem,
  loopIn,
  type LoopState,
  madeOf,
  MAX_ITERATIONS,
  progressIn,
  renumberLoops,
} from "./loop_state.ts";
import { AgentxError } from "../../base/errors.ts";

/** Options of {@linkcode LoopGate}. */
export interface LoopGateOptions {
  /** If true, an issue without a loop cannot be handed over either. */
  isRequired?: boolean;
  /** The origin of the file. Foreign entries are listed, but they neither open nor close the gate. */
  origin?: Origin;
  /** Returns the `uid` of an issue, if known. The loop stores it. */
  uidOf?: (issueNumber: number) => string | undefined;
  /**
   * Called with a message for each private part and secret that was cut from a summary.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** Options for changing a loop. */
export interface LoopStepOptions {
  /** The work of the iteration, 1 to 2000 characters. */
  summary?: string;
  /** Maximum number of iterations. It may be raised while the loop is active. */
  maxIterations?: number;
}

/** Owns `.agentx/state/loop-state.json`: the loops of issues. A step is complete only when its loop is complete. */
export class LoopGate {
  readonly #file: JsonFile<LoopFile>;
  readonly #path: string;
  readonly #origin: Origin;
  readonly #isRequired: boolean;
  readonly #uidOf: (issueNumber: number) => string | undefined;
  readonly #notify: (message: string) => void;

  /**
   * Opens the file, which may not exist yet.
   *
   * @param path `.agentx/state/loop-state.json`
   * @param options whether every issue needs a loop, and the callbacks
   */
  constructor(path: string, locks: FileLockManager, options: LoopGateOptions = {}) {
    const { isRequired = false, origin = OWN_ORIGIN, notify = () => {} } = options;
    this.#path = path;
    this.#origin = origin;
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
    return Object.values(this.#file.read() ?? {}).filter(isLoop)
      .sort((a, b) => a.issueNumber - b.issueNumber);
  }

  /**
   * Reads the loop of an issue.
   *
   * @returns the loop; undefined if none was started for this issue
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  status(issueNumber: number): LoopState | undefined {
    const loop = loopIn(this.#own(this.#file.read()), checkIssueNumber(issueNumber));
    const uid = loop?.issueUid === undefined ? undefined : this.#uidOf(issueNumber);
    return uid === undefined || uid === loop?.issueUid ? loop : undefined;
  }

  /**
   * Reads the progress of all issues.
   *
   * @returns the progress by issue number, with the time at which each role finished
   * @throws {AgentxError} `CORRUPT_STATE`
   */
  finished(): Map<number, IssueProgress> {
    const own = Object.values(this.#own(this.#file.read()));
    return new Map(own.map((progress) => [progress.issueNumber, progress]));
  }

  /**
   * Records that a role has finished its work on an issue, so the queue no longer offers the issue to this role.
   *
   * @param role such as `engineer`
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async finish(issueNumber: number, role: string): Promise<void> {
    const key = String(checkIssueNumber(issueNumber));
    const issueUid = this.#uidOf(issueNumber);
    await this.#file.update(role, (loops = {}) => {
      const before = progressIn(this.#own(loops), issueNumber) ??
        { issueNumber };
      noteIssue(before, issueUid, this.#path);
      const finishedAt = { ...before.finishedAt, [role]: isoTime(sys.now()) };
      const progress = { ...before, finishedAt };
      this.#origin.noteOwn(madeOf(progress));
      return { ...loops, [key]: progress };
    });
  }

  /**
   * Starts the loop of an issue at its first iteration. An earlier loop must have ended.
   *
   * @throws {AgentxError} `GATE_REFUSED` if the loop is active; `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async start(
    issueNumber: number,
    { maxIterations = MAX_ITERATIONS }: Pick<LoopStepOptions, "maxIterations"> = {},
  ): Promise<LoopState> {
    const started = isoTime(sys.now());
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
      };
      return { ...loop, ...fresh };
    });
  }

  /**
   * Starts the next iteration.
   *
   * @throws {AgentxError} `NOT_FOUND` if no loop was started; `GATE_REFUSED` if it has ended or its limit is
   * reached; `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
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
   * Completes the loop of an issue: its criteria are met, and the gate opens.
   *
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
   * Cancels the loop of an issue. The gate stays closed until another loop is complete.
   *
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
   * Throws unless the loop of an issue is active.
   *
   * @param action the action that needs an active loop, such as `complete`
   * @throws {AgentxError} `NOT_FOUND` if no loop was started; `GATE_REFUSED` if it has ended; `CORRUPT_STATE`
   */
  checkActive(issueNumber: number, action: string): void {
    activeLoop(this.status(issueNumber), issueNumber, action);
  }

  /**
   * Checks whether the work on an issue may be handed over.
   *
   * @returns undefined if it may; otherwise a `GATE_REFUSED` to throw: the loop is active or cancelled, or a
   * required loop was never started
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
   * Moves the loops of renumbered issues to the new numbers.
   *
   * @param numbers the new number of each issue, by `uid`
   * @param agent the author of the change; the lock shows this name to waiting processes
   * @returns the former number of each loop that moved
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renumber(numbers: ReadonlyMap<string, number>, agent: string): Promise<number[]> {
    const newNumber = ({ issueUid = "" }: IssueProgress) => numbers.get(issueUid);
    const movingIn = (loops: LoopFile) =>
      Object.values(loops).filter((each) =>
        (newNumber(each) ?? each.issueNumber) !== each.issueNumber
      );
    const moving = movingIn(this.#file.read() ?? {});
    if (moving.length === 0) return [];
    await this.#file.update(agent, (loops = {}) => {
      for (const each of movingIn(this.#own(loops))) {
        this.#origin.noteOwn(madeOf({ ...each, issueNumber: newNumber(each)! }));
      }
      return renumberLoops(loops, numbers);
    });
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
    return await this.#change(issueNumber, (found) => {
      const loop = activeLoop(found, issueNumber, action);
      const { iteration } = loop;
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
    const issueUid = this.#uidOf(issueNumber);
    return await this.#file.updateReturning("loop", (loops = {}) => {
      const before = progressIn(this.#own(loops), issueNumber) ?? { issueNumber };
      noteIssue(before, issueUid, this.#path);
      const result = { ...before, ...change(isLoop(before) ? before : undefined) };
      this.#origin.noteOwn(madeOf(result));
      return { value: { ...loops, [key]: result }, result };
    });
  }

  /** Returns the entries that did not come from elsewhere. */
  #own(loops: LoopFile = {}): LoopFile {
    const isForeign = this.#origin.now();
    const own = Object.entries(loops).filter(([, each]) => !isForeign(this.#path, madeOf(each)));
    return Object.fromEntries(own);
  }
}

function activeLoop(loop: LoopState | undefined, issueNumber: number, action: string): LoopState {
  if (loop === undefined) throw neverStarted(issueNumber);
  if (loop.status !== "active") throw refused(loop, action, `it is already ${loop.status}`);
  return loop;
}

/** Makes the error for an action that the present state of the loop does not allow. */
function refused(loop: LoopState, action: string, why: string): AgentxError<"GATE_REFUSED"> {
  const { issueNumber, status } = loop;
  const next = status === "active"
    ? `End it with: agentx loop complete ${issueNumber}; or continue with --extended`
    : `Start another one with: agentx loop start ${issueNumber}`;
  return new AgentxError("GATE_REFUSED", `Cannot ${action} the loop of #${issueNumber}: ${why}`, {
    details: { gate: "loop", issueNumber, reasons: [why] },
    next,
  });
}

/** Makes the error for work that may not be handed over. */
function shut(issueNumber: number, why: string, verb: string): AgentxError<"GATE_REFUSED"> {
  return new AgentxError("GATE_REFUSED", `Cannot hand over #${issueNumber}: ${why}`, {
    details: { gate: "loop", issueNumber, reasons: [why] },
    next: `Continue with: agentx loop ${verb} ${issueNumber}`,
  });
}

/** Makes the error for an issue without a loop. */
function neverStarted(issueNumber: number): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find a loop for #${issueNumber}: none was started`, {
    details: { kind: "loop", id: String(issueNumber) },
    next: `Start it with: agentx loop start ${issueNumber}`,
  });
}
