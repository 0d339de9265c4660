// Owner of `.agentx/state/agent-interactions.json`: the questions to the human, with their
// outcomes.
//
// Deadlines are evaluated by the next reader, under the lock of the file, and the outcome is dated at the
// deadline: no process has to live until then.

import { type Origin, OWN } from "../base/origin.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
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
  isOverdue,
  supersedeOthers,
} from "./interaction.ts";
import { checkOwn } from "./refusals.ts";

export interface InteractionStoreOptions {
  locks: FileLockManager;
  /** What came from elsewhere: nobody here was asked that, and nothing follows from it. */
  origin?: Origin;
}

export interface Settled<R> {
  result: R;
  /** The interactions that ended in it, or that a late answer changed. */
  ended: GateInteraction[];
  /** All of them, the oldest first. */
  all: GateInteraction[];
}

export class InteractionStore {
  readonly #file: JsonFile<InteractionFile>;
  readonly #origin: Origin;

  /** Names the file, which need not exist. */
  constructor(path: string, { locks, origin = OWN }: InteractionStoreOptions) {
    this.#file = new JsonFile(path, locks, {
      problemWith: problemInInteractions(path),
      kind: "state",
      keepsCopy: true,
    });
    this.#origin = origin;
  }

  /**
   * Reads the file as it stands; what is overdue is still pending in it. Throws `CORRUPT_STATE`,
   * `NEWER_STATE`, `UNTRUSTED` where it came with the repository.
   */
  read(): InteractionFile {
    const file = this.#file.read();
    if (file !== undefined) checkOwn(this.#file.path, this.#origin);
    return file === undefined ? newInteractionFile() : this.#apart(file);
  }

  /**
   * Changes the file under its lock, once what is overdue has ended. `change` is called once and
   * awaits nothing. Throws as {@linkcode InteractionStore.read}; `LOCK_TIMEOUT`, `IO_ERROR`.
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
      const overdue = file.agent_interactions.filter((one) => isOverdue(one, nowMs, isAlive));
      overdue.forEach(endByTimeout);
      const result = change(file, nowMs);
      const ended = file.agent_interactions
        .filter(({ id, outcome }) => outcome !== null && outcome !== before.get(id));
      for (const one of ended) supersedeOthers(one, file.agent_interactions);
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

  /** The file without what came from elsewhere, which is set apart. */
  #apart(file: InteractionFile): InteractionFile {
    const isForeign = this.#origin.now();
    const { path } = this.#file;
    const foreign = file.agent_interactions.filter((one) => isForeign(path, one));
    if (foreign.length === 0) return file;
    const own = file.agent_interactions.filter((one) => !foreign.includes(one));
    return { ...file, agent_interactions: own, foreign };
  }

  /** Ends what is overdue; takes the lock only where there is something. */
  async settle(): Promise<Settled<void>> {
    const { agent_interactions: all } = this.read();
    const nowMs = sys.now();
    if (!all.some((one) => isOverdue(one, nowMs, isAlive))) {
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

/** On another host, nobody can see it: its deadline counts. */
function isAlive({ pid, start, host }: Answerer): boolean {
  if (host !== sys.hostname) return false;
  const now = sys.processStart(pid);
  return now !== null && (now === undefined || start === null || now === start);
}
