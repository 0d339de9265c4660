// Owner of `.agentx/state/assumptions.json`: every decision that was made without certain knowledge.

import { checkOwn, type Origin, OWN_ORIGIN } from "../base/origin.ts";
import { parseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { checkIssueNumber, checkText } from "../base/input_checks.ts";
import type { NoteChange } from "../events/operations.ts";
import { type RecordEffect, takenBack, watching } from "../events/record_effect.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import { encodeJson } from "../text/text.ts";
import {
  type Assumption,
  type AssumptionFile,
  assumptionKind,
  completed,
  contradicting,
  followOutcomes,
  hasToFollow,
  INFERRED,
  isAssumption,
  lessonOf,
} from "./assumption.ts";
import { GATE_VERSION, problemIn } from "./gate_file.ts";
import { highestId, nextId } from "./ids.ts";
import type { GateInteraction } from "./interaction.ts";
import { transition, unknownAssumption } from "./refusals.ts";
import { checkLevel, checkRisk, MAX_QUESTION, MAX_REASONING, oneLine } from "./request.ts";

/** Remembers the assumptions that a human confirms. */
export interface AssumptionMemory {
  /** Stores an assumption as an observation and returns the observation's id; null if memory is off. */
  remember(assumption: Assumption): Promise<string | null>;
  retract(id: string, because: string): Promise<void>;
}

export interface AssumptionStoreOptions {
  locks: FileLockManager;
  /** Recognizes assumptions from elsewhere, which nobody here confirmed. */
  origin?: Origin;
  /** Called with each change before it is written. */
  note?: NoteChange;
  /** Looks up the `uid` of an issue, which is stored with an assumption. */
  uids?: () => Promise<(issue: number) => string | undefined>;
  /** Remembers the assumptions that a human confirms. */
  memory?: AssumptionMemory;
  /** Called with a sentence for each text that was cut, and for each failure to update memory. */
  notify?: (message: string) => void;
}

/** A decision that an agent reports. */
export interface ReportedAssumption
  extends Pick<Assumption, "agent" | "issue" | "decision" | "reasoning"> {
  /** `high`, `medium` or `low`. */
  confidence: string;
  /** A level and the price of a change: `medium - would need to refactor`. */
  risk: string;
  /** The source that the decision was inferred from. */
  source?: string;
}

export class AssumptionStore {
  readonly #file: JsonFile<AssumptionFile>;
  readonly #options: AssumptionStoreOptions;
  readonly #origin: Origin;

  /** Stores the path of the file, which need not exist. */
  constructor(path: string, options: AssumptionStoreOptions) {
    this.#file = new JsonFile(path, options.locks, {
      problemWith: problemIn(path, "assumptions_made", isAssumption),
      kind: "state",
      keepsCopy: true,
      format: {
        parse: (text) => completed(parseJson(text)),
        encode: (value) => `${encodeJson(value, 2)}\n`,
      },
    });
    this.#options = options;
    this.#origin = options.origin ?? OWN_ORIGIN;
  }

  /**
   * Reads all assumptions, the oldest first. Throws `CORRUPT_STATE`, `NEWER_STATE`, and `UNTRUSTED` if the file came
   * with the repository.
   */
  list(): Assumption[] {
    const file = this.#file.read();
    if (file !== undefined) checkOwn(this.#file.path, this.#origin);
    return file?.assumptions_made.filter(this.#isOwn()) ?? [];
  }

  /** Reads one assumption. Throws `NOT_FOUND`, and the errors of {@linkcode AssumptionStore.list}. */
  get(id: string): Assumption {
    const found = this.list().find((one) => one.id === id);
    if (found === undefined) throw unknownAssumption(id);
    return found;
  }

  /**
   * Stores a decision that an agent inferred. Throws `INVALID_INPUT`, `UNTRUSTED`, `CORRUPT_STATE`, `NEWER_STATE`,
   * `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async add(reported: ReportedAssumption): Promise<Assumption> {
    const { agent, issue, source = INFERRED } = reported;
    const kept = await this.#cut((cut) => ({
      decision: cut("decision", oneLine(checkText("decision", reported.decision, MAX_QUESTION))),
      blocker_type: "none",
      user_response: cut("source", oneLine(checkText("source", source, MAX_REASONING))),
      reasoning: cut("because", oneLine(checkText("because", reported.reasoning, MAX_REASONING))),
      confidence: checkLevel("confidence", reported.confidence),
      risk_if_wrong: checkRisk(
        cut("risk", oneLine(checkText("risk", reported.risk, MAX_REASONING))),
      ),
    }));
    const checkedIssue = checkIssueNumber(issue);
    const lesson = lessonOf(assumptionKind(kept), this.list());
    if (lesson !== undefined) this.#options.notify?.(lesson);
    return await this.#change(agent, (own, nextOne) => {
      const added: Assumption = {
        ...kept,
        id: nextOne(),
        agent,
        issue: checkedIssue,
        clarificationId: null,
        created: isoTime(sys.now()),
        status: "open",
        supersededBy: null,
        because: null,
        observation: null,
      };
      own.push(added);
      return added;
    });
  }

  /**
   * Adds the assumptions that follow from the questions that have ended, and then updates memory. A later call
   * completes both after a kill or on a disk that was full. Throws `UNTRUSTED`, `CORRUPT_STATE`, `NEWER_STATE`,
   * `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async follow(all: readonly GateInteraction[]): Promise<void> {
    if (hasToFollow(this.list(), all)) {
      await this.#change("gate", (own, nextOne) => followOutcomes(own, all, nextOne));
    }
    for (const each of this.list()) await this.#keepInMemory(each);
  }

  /**
   * Records a human's judgement of an assumption. A confirmed assumption becomes an observation; for a reverted one,
   * the observation is retracted. Throws `NOT_FOUND`; `INVALID_TRANSITION` if another assumption has replaced this
   * one; and the errors of {@linkcode AssumptionStore.add}.
   */
  async judge(
    id: string,
    status: "confirmed" | "reverted",
    because: string | null,
  ): Promise<Assumption> {
    const reason = because === null ? null : await this.#cut((cut) => {
      return cut("because", oneLine(checkText("because", because, MAX_REASONING)));
    });
    const judged = await this.#change("human", (own) => {
      const found = own.find((one) => one.id === id);
      if (found === undefined) throw unknownAssumption(id);
      if (found.supersededBy !== null) {
        const why = `${found.supersededBy} has replaced it`;
        throw transition(id, found.status, status === "confirmed" ? "confirm" : "revert", why);
      }
      // A confirmation also decides a contradiction: the assumption replaces the confirmed ones that contradict it.
      const others = status === "confirmed" ? contradicting(found, own) : [];
      for (const other of others) Object.assign(other, { status: "superseded", supersededBy: id });
      return Object.assign(found, { status, because: reason });
    });
    return await this.#keepInMemory(judged);
  }

  /**
   * Renumbers assumptions after their issues were renumbered. `numbers` maps the `uid` of an issue to its number.
   * Throws `CORRUPT_STATE`, `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async renumber(numbers: ReadonlyMap<string, number>, by: string): Promise<number> {
    const numberOf = ({ issue, issueUid = "" }: Assumption) => numbers.get(issueUid) ?? issue;
    const hasMoved = (one: Assumption) => numberOf(one) !== one.issue;
    if (!this.list().some(hasMoved)) return 0;
    return await this.#change(by, (own) => {
      const moved = own.filter(hasMoved);
      for (const one of moved) one.issue = numberOf(one);
      return moved.length;
    });
  }

  /**
   * Records that `by` replaced the observation of an assumption. Returns the assumption, or undefined if no
   * assumption has this observation. Throws the errors of {@linkcode AssumptionStore.add}.
   */
  async replace(observation: string, by: string): Promise<Assumption | undefined> {
    const isIt = (one: Assumption) => one.observation === observation && one.supersededBy === null;
    if (!this.list().some(isIt)) return undefined;
    return await this.#change("gate", (own) => {
      const found = own.find(isIt);
      return found && Object.assign(found, { status: "superseded", supersededBy: by });
    });
  }

  /**
   * Restores assumptions to their earlier state. The id of a removed assumption is never given again. Throws
   * `NOT_READY` if one of the assumptions has changed since, and the errors of {@linkcode AssumptionStore.add}.
   */
  async takeBack(taken: readonly RecordEffect[], agent: string): Promise<void> {
    checkOwn(this.#file.path, this.#origin);
    const isOwn = this.#isOwn();
    await this.#file.update(agent, (file) => {
      const value: AssumptionFile = file ?? { version: GATE_VERSION, assumptions_made: [] };
      const own = value.assumptions_made.filter(isOwn);
      const foreign = value.assumptions_made.filter((one) => !own.includes(one));
      const effects = watching("assumption", own);
      const left = takenBack(own, taken);
      this.#options.note?.(agent, effects(left));
      const lastId = highestId(value.assumptions_made, value.lastId);
      return { ...value, assumptions_made: [...foreign, ...left], lastId };
    });
  }

  /** Updates memory for one assumption: memory keeps confirmed assumptions, and no others. */
  async #keepInMemory(assumption: Assumption): Promise<Assumption> {
    const { memory, notify = () => {} } = this.#options;
    const { id, status, observation, supersededBy, because } = assumption;
    if (memory === undefined || (status === "confirmed") === (observation !== null)) {
      return assumption;
    }
    try {
      const kept = status === "confirmed" ? await memory.remember(assumption) : null;
      if (observation !== null) {
        await memory.retract(observation, because ?? `${supersededBy ?? "A human"} replaced it`);
      }
      if (kept === observation) return assumption;
      return await this.#change("gate", (own) => {
        return Object.assign(own.find((one) => one.id === id)!, { observation: kept });
      });
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(`${id} is ${status}, but memory was not changed: ${error.oneLine}`);
      return assumption;
    }
  }

  async #cut<T>(work: (cut: (field: string, text: string) => string) => T): Promise<T> {
    const { notify = () => {} } = this.#options;
    return await cutting((cut) => work(cut), { what: "the assumption", notify });
  }

  /** Changes the file under its lock. Assumptions from elsewhere stay as they are. */
  async #change<R>(
    agent: string,
    change: (own: Assumption[], nextOne: () => string) => R,
  ): Promise<R> {
    checkOwn(this.#file.path, this.#origin);
    const uidOf = await this.#options.uids?.();
    const isOwn = this.#isOwn();
    const { result, made } = await this.#file.updateReturning(agent, (file) => {
      const value: AssumptionFile = file ?? { version: GATE_VERSION, assumptions_made: [] };
      const own = value.assumptions_made.filter(isOwn);
      const foreign = value.assumptions_made.filter((one) => !own.includes(one));
      const known = new Set(own);
      const effects = watching("assumption", own);
      const nextOne = () => nextId("ASM", [...foreign, ...own], value.lastId);
      const result = structuredClone(change(own, nextOne));
      const made = own.filter((one) => !known.has(one));
      for (const one of made) {
        const issueUid = uidOf?.(one.issue);
        if (issueUid !== undefined) one.issueUid = issueUid;
      }
      this.#options.note?.(agent, effects(own));
      return {
        value: { ...value, assumptions_made: [...foreign, ...own] },
        result: { result, made },
      };
    });
    for (const one of made) this.#origin.noteOwn(one);
    return result;
  }

  #isOwn(): (assumption: Assumption) => boolean {
    const isForeign = this.#origin.now();
    return (assumption) => !isForeign(this.#file.path, assumption);
  }
}
