// Owner of `.agentx/state/agent-interactions.json`: the questions to the human, with their outcomes.
//
// The next reader evaluates deadlines, under the lock of the file, and dates the outcome at the deadline. So no
// process has to live until a deadline.

import { checkOwn, type Origin, OWN_ORIGIN } from "../base/origin.ts";
import type { NoteChange } from "../events/operations.ts";
import { type RecordEffect, takenBack, watching } from "../events/record_effect.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { highestId } from "./ids.ts";
import {
  type InteractionFile,
  newInteractionFile,
  type OrchestratorState,
  problemInInteractions,
} from "./gate_file.ts";
import {
  type Answerer,
  endByTimeout,
  type GateInteraction,
  isPastDeadline,
  supersedeOthers,
} from "./interaction.ts";

export interface InteractionStoreOptions {
  locks: FileLockManager;
  /** Recognizes questions from elsewhere: nobody here was asked, and nothing follows from them. */
  origin?: Origin;
  /** Called with each change before it is written. */
  note?: NoteChange;
}

interface Settled<R> {
  result: R;
  /** The questions that ended in the change, or that a late answer changed. */
  ended: GateInteraction[];
  /** All questions, the oldest first. */
  all: GateInteraction[];
}

export class InteractionStore {
  readonly #file: JsonFile<InteractionFile>;
  readonly #origin: Origin;
  readonly #note: NoteChange;

  /** Stores the path of the file, which need not exist. */
  constructor(path: string, options: InteractionStoreOptions) {
    const { locks, origin = OWN_ORIGIN, note = () => {} } = options;
    this.#file = new JsonFile(path, locks, {
      problemWith: problemInInteractions(path),
      kind: "state",
      keepsCopy: true,
    });
    this.#origin = origin;
    this.#note = note;
  }

  /**
   * Reads the file as it is; overdue questions are still pending in it. Throws `CORRUPT_STATE`, `NEWER_STATE`, and
   * `UNTRUSTED` for a file that came with the repository.
   */
  read(): InteractionFile {
    const file = this.#file.read();
    if (file !== undefined) checkOwn(this.#file.path, this.#origin);
    return file === undefined ? newInteractionFile() : this.#apart(file);
  }

  /**
   * Ends overdue questions, then changes the file, under one lock. `change` is called once and must not await.
   * Throws the errors of {@linkcode InteractionStore.read}, and `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async change<R>(
    agent: string,
    change: (file: InteractionFile, nowMs: number) => R,
  ): Promise<Settled<R>> {
    checkOwn(this.#file.path, this.#origin);
    const settled = await this.#file.updateReturning(agent, (stored = newInteractionFile()) => {
      const file = this.#apart(stored);
      const { foreign = [] } = file;
      const before = new Map(file.agent_interactions.map((one) => [one.id, one.outcome]));
      const nowMs = sys.now();
      const overdue = file.agent_interactions.filter((one) => isPastDeadline(one, nowMs, isAlive));
      overdue.forEach(endByTimeout);
      const effects = watching("question", file.agent_interactions);
      const result = change(file, nowMs);
      const ended = file.agent_interactions
        .filter(({ id, outcome }) => outcome !== null && outcome !== before.get(id));
      for (const one of ended) supersedeOthers(one, file.agent_interactions);
      this.#note(agent, effects(file.agent_interactions));
      if (ended.some(({ orchestrated }) => !orchestrated)) setPhase(file, null);
      const made = file.agent_interactions.filter(({ id }) => !before.has(id));
      const value = { ...file, agent_interactions: [...foreign, ...file.agent_interactions] };
      delete value.foreign;
      const all = file.agent_interactions;
      return { value, result: structuredClone({ result, ended, all, made }) };
    });
    for (const one of settled.made) this.#origin.noteOwn(one);
    return settled;
  }

  /**
   * Restores questions to their earlier state. The id of a removed question is never given again. Throws `NOT_READY`
   * if one of the questions has changed since, and the errors of {@linkcode InteractionStore.change}.
   */
  async takeBack(taken: readonly RecordEffect[], agent: string): Promise<void> {
    checkOwn(this.#file.path, this.#origin);
    await this.#file.update(agent, (stored = newInteractionFile()) => {
      const file = this.#apart(stored);
      const { foreign = [], agent_interactions: before } = file;
      const effects = watching("question", before);
      file.agent_interactions = takenBack(before, taken);
      this.#note(agent, effects(file.agent_interactions));
      const open = file.agent_interactions.findLast(({ status }) => status === "pending");
      setPhase(file, open?.created ?? null);
      const value = { ...file, agent_interactions: [...foreign, ...file.agent_interactions] };
      delete value.foreign;
      return { ...value, lastId: highestId([...foreign, ...before], file.lastId) };
    });
  }

  /** Returns the content of the file with the questions from elsewhere set apart in `foreign`. */
  #apart(file: InteractionFile): InteractionFile {
    const isForeign = this.#origin.now();
    const { path } = this.#file;
    const foreign = file.agent_interactions.filter((one) => isForeign(path, one));
    if (foreign.length === 0) return file;
    const own = file.agent_interactions.filter((one) => !foreign.includes(one));
    return { ...file, agent_interactions: own, foreign };
  }

  /** Ends overdue questions. Takes the lock only if there are any. */
  async settle(): Promise<Settled<void>> {
    const { agent_interactions: all } = this.read();
    const nowMs = sys.now();
    if (!all.some((one) => isPastDeadline(one, nowMs, isAlive))) {
      return { result: undefined, ended: [], all };
    }
    return await this.change("gate", () => {});
  }
}

/** Sets the state of the orchestrator, in place. */
export function setPhase(file: InteractionFile, requestedAt: string | null): void {
  const before = file.orchestrator_state;
  const state: OrchestratorState = {
    ...before,
    clarification_pending: requestedAt !== null,
    clarification_requested_at: requestedAt ?? before.clarification_requested_at,
    phase: requestedAt === null ? "planning_complete" : "awaiting_clarification",
  };
  file.orchestrator_state = state;
}

/**
 * Whether the process that stopped a countdown may still live. A process on another host cannot be seen, so it counts
 * as ended and the deadline applies.
 */
function isAlive({ pid, start, host }: Answerer): boolean {
  if (host !== sys.hostname) return false;
  const now = sys.processStart(pid);
  return now !== null && (now === undefined || start === null || now === start);
}
