// The gate to the human: an agent asks a person only if four conditions hold, once, with options and a safe fallback
// (seed 004).

import { checkText } from "../base/input_checks.ts";
import { cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import { admit } from "./admit.ts";
import { lessonOf } from "./assumption.ts";
import type { AssumptionStore } from "./assumption_store.ts";
import { refusalsOf, topicRule, type TopicSettings } from "./conditions.ts";
import type { InteractionFile } from "./gate_file.ts";
import {
  endByHuman,
  endByTimeout,
  type GateInteraction,
  type HumanDecision,
  isSecurity,
  isUndelivered,
  release,
} from "./interaction.ts";
import {
  checkStandingAnswer,
  gateRefused,
  nothingToTakeBack,
  notPending,
  notVerified,
  unknownInteraction,
} from "./refusals.ts";
import { checkQuestion, type GateQuestion, type GateRequest, MAX_QUESTION } from "./request.ts";
import { type InteractionStore, setPhase } from "./store.ts";
import { checkTimeout, longerTimeout } from "./timeout.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { RecordEffect } from "../events/record_effect.ts";

interface HumanGateOptions {
  store: InteractionStore;
  assumptions: AssumptionStore;
  /** Gets the state of each question, as `state-change` of `gate`. */
  events: AgentEventBus;
  /** The section `gate` of the settings. */
  settings: TopicSettings & {
    /** How long a question stays open: `90s`, `5m`, `2h` or `never`. */
    timeout: string;
  };
  /** Returns why an issue is past planning; undefined if it is not. */
  executionOf?: (issue: number) => Promise<string | undefined>;
  /**
   * Returns why an issue is complex; undefined if it is not. A question about a complex issue needs an investigator's
   * findings.
   */
  whyComplex?: (issue: number) => Promise<string | undefined>;
  /** Called with a sentence for each text that is cut before the write, and for each effect of the settings. */
  notify?: (message: string) => void;
}

interface AskOptions {
  /** How long the question stays open: `90s`, `5m`, `2h` or `never`. */
  timeout?: string;
  /**
   * How long the agent wants the question to stay open if `timeout` is left out. The time in the settings applies if
   * it is longer.
   */
  wanted?: string;
  /** Whether the caller runs the agent again with the outcome. */
  orchestrated?: boolean;
  /** The tool call that asks. It identifies the question if the call was interrupted. */
  callId?: string;
}

interface AnswerOptions {
  verified?: boolean;
  /** The account of a human who answers at another machine. */
  login?: string;
  /** Whether the answer also applies to later questions with the same blocker, topic and options. */
  always?: boolean;
}

/** Asks humans, and stores the outcomes. */
export class HumanGate {
  readonly #options: HumanGateOptions & Required<Pick<HumanGateOptions, "notify">>;

  /** Stores the options. No file is read yet. */
  constructor(options: HumanGateOptions) {
    this.#options = { ...options, notify: options.notify ?? (() => {}) };
  }

  get assumptions(): AssumptionStore {
    return this.#options.assumptions;
  }

  /**
   * Asks the human if the four conditions hold. A matching standing answer ends the question at once. Throws
   * `GATE_REFUSED` with a reason for each unmet condition; `INVALID_INPUT`, `CORRUPT_STATE`, `NEWER_STATE`,
   * `UNTRUSTED`, `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async ask(question: GateQuestion, options: AskOptions = {}): Promise<GateInteraction> {
    const { settings, executionOf, notify } = this.#options;
    const { wanted = settings.timeout, orchestrated = false, callId = null } = options;
    const { timeout = longerTimeout(wanted, settings.timeout) } = options;
    const timeoutMs = checkTimeout(timeout);
    const what = "the question to the human";
    const request = await cutting((cut) => checkQuestion(question, cut), { what, notify });
    if (options.timeout === undefined && timeout !== wanted && !isSecurity(request)) {
      notify(`The human has ${timeout} (gate.timeout), not only ${wanted}`);
    }
    const rule = topicRule(request, settings);
    if (rule !== null) this.#log(`gate.${rule}`, request);
    const execution = await executionOf?.(request.issue);
    const complex = await this.whyComplex(request.issue);
    const refusals = refusalsOf(request, { rule, execution, complex });
    if (refusals.length > 0) throw this.#refused(request, refusals);
    const lesson = lessonOf(request.blockerType, this.assumptions.list());
    if (lesson !== undefined) notify(lesson);
    const asked = await this.#changing(request.agent, (file, nowMs) => {
      const admitted = admit(file, request, { rule, timeoutMs, nowMs, orchestrated, callId });
      if (Array.isArray(admitted)) throw this.#refused(request, admitted);
      return admitted;
    });
    if (asked.status === "pending") this.#log("pending", request, asked);
    return asked;
  }

  /** Returns why a question about an issue needs an investigator's findings; undefined if it does not. */
  async whyComplex(issue: number): Promise<string | undefined> {
    return await this.#options.whyComplex?.(issue);
  }

  /**
   * Records the human's answer: the label of an option, or other words. The answer replaces a fallback that was
   * already taken. Throws `NOT_FOUND`, `INVALID_INPUT`; `INVALID_TRANSITION` if a human has already ended the
   * question, or if the answer to a security decision is unverified; `GATE_REFUSED` for a standing answer to a
   * security decision; and the errors of {@linkcode HumanGate.ask}.
   */
  async answer(id: string, answer: string, options: AnswerOptions = {}): Promise<GateInteraction> {
    const { verified = false, always = false, login } = options;
    const { notify } = this.#options;
    const what = `the answer to ${id}`;
    const check = (text: string) => checkText("answer", text, MAX_QUESTION);
    const text = await cutting((cut) => cut("answer", check(answer), check), { what, notify });
    return await this.#endByHuman(id, {
      answer: text,
      outcome: "human",
      verified,
      always,
      login,
    });
  }

  /**
   * Ends a question for good without an answer: the human declined it, or closed its form. Throws the errors of
   * {@linkcode HumanGate.answer}.
   */
  async dismiss(
    id: string,
    outcome: "declined" | "cancelled",
    { verified = false }: Pick<AnswerOptions, "verified"> = {},
  ): Promise<GateInteraction> {
    return await this.#endByHuman(id, { answer: null, outcome, verified, always: false });
  }

  /** Reads a question with its current outcome. Throws `NOT_FOUND`, and the errors of {@linkcode HumanGate.ask}. */
  async get(id: string): Promise<GateInteraction> {
    const all = await this.list();
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw unknownInteraction(id, all);
    return found;
  }

  /**
   * Reads all questions with their current outcomes, the oldest first. Throws the errors of {@linkcode
   * HumanGate.ask}.
   */
  async list(): Promise<GateInteraction[]> {
    const { ended, all } = await this.#options.store.settle();
    this.#publish(ended);
    await this.assumptions.follow(all);
    return all;
  }

  /**
   * Ends a question that is overdue by the monotonic clock of the waiting process, even if the wall clock disagrees.
   * Throws the errors of {@linkcode HumanGate.get}.
   */
  async expire(id: string): Promise<GateInteraction> {
    return await this.#change(id, "gate", (one) => {
      if (one.status === "pending" && one.deadline !== null && one.heldBy === null) {
        endByTimeout(one);
      }
    });
  }

  /**
   * Stops the countdown of a question for as long as this process lives, or resumes it. Throws the errors of
   * {@linkcode HumanGate.get}.
   */
  async hold(id: string, isHeld: boolean): Promise<GateInteraction> {
    const { pid, hostname: host } = sys;
    return await this.#change(id, "human", (one, nowMs) => {
      if (one.status !== "pending") return;
      release(one, nowMs);
      const since = isoTime(nowMs);
      if (isHeld) one.heldBy = { pid, start: sys.processStart(pid) ?? null, host, since };
    });
  }

  /**
   * Records that the agent has received the outcome of a question. Otherwise the agent's next hook or run delivers
   * the outcome. Throws the errors of {@linkcode HumanGate.get}.
   */
  async noteDelivered(delivered: GateInteraction): Promise<GateInteraction> {
    if (!isUndelivered(delivered)) return delivered;
    await this.#change(delivered.id, "gate", (one, nowMs) => {
      if (one.outcome === delivered.outcome) one.toldAt = isoTime(nowMs);
    });
    return delivered;
  }

  /** Restores questions to their earlier state. Throws `NOT_READY`, and the errors of {@linkcode HumanGate.ask}. */
  async undo(taken: readonly RecordEffect[], by: string): Promise<void> {
    await this.#options.store.takeBack(taken, by);
  }

  /**
   * Records that the plan is made, unless a question is still open (seed 004, "Clear State and Continue"). Throws
   * the errors of {@linkcode HumanGate.ask}.
   */
  async planned(): Promise<void> {
    const { ended, all } = await this.#options.store.change("gate", (file) => {
      const isOpen = file.agent_interactions.some(({ status }) => status === "pending");
      if (!isOpen) setPhase(file, null);
    });
    await this.#follow(ended, all);
  }

  /**
   * Revokes a standing answer, so the next question of its kind is asked. Throws `INVALID_TRANSITION` if the
   * question has no standing answer.
   */
  async takeBack(id: string): Promise<GateInteraction> {
    return await this.#change(id, "human", (one) => {
      if (!one.always) throw nothingToTakeBack(one);
      one.always = false;
    });
  }

  async #endByHuman(id: string, given: HumanDecision): Promise<GateInteraction> {
    return await this.#change(id, "human", (one, nowMs) => {
      const isLate = one.status === "timeout" && given.outcome === "human";
      if (one.status !== "pending" && !isLate) throw notPending(one, given.outcome);
      if (isSecurity(one.request) && !given.verified) throw notVerified(one, given.outcome);
      endByHuman(one, given, nowMs);
      if (given.always) checkStandingAnswer(one);
    });
  }

  async #change(
    id: string,
    agent: string,
    change: (interaction: GateInteraction, nowMs: number) => void,
  ): Promise<GateInteraction> {
    return await this.#changing(agent, (file, nowMs) => {
      const found = file.agent_interactions.find((one) => one.id === id);
      if (found === undefined) throw unknownInteraction(id, file.agent_interactions);
      change(found, nowMs);
      return found;
    });
  }

  async #changing(
    agent: string,
    change: (file: InteractionFile, nowMs: number) => GateInteraction,
  ): Promise<GateInteraction> {
    this.assumptions.list(); // refuse an unreadable file before anything is written
    const { result, ended, all } = await this.#options.store.change(agent, change);
    await this.#follow(ended, all);
    return result;
  }

  /** Publishes how questions ended, and records the assumptions that follow from their outcomes. */
  async #follow(
    ended: readonly GateInteraction[],
    all: readonly GateInteraction[],
  ): Promise<void> {
    this.#publish(ended);
    if (ended.length > 0) await this.assumptions.follow(all);
  }

  #publish(ended: readonly GateInteraction[]): void {
    for (const one of ended) this.#log(one.outcome!, one.request, one);
  }

  #refused(request: GateRequest, refusals: Parameters<typeof gateRefused>[1]) {
    for (const { reason } of refusals) this.#log(`refused:${reason}`, request);
    return gateRefused(request, refusals);
  }

  /** Logs ids and codes, but no text. */
  #log(newState: string, { agent }: GateRequest, interaction?: GateInteraction): void {
    const source = ["gate", interaction?.id ?? agent].join("/");
    this.#options.events.emit("state-change", { source, newState, timestamp: sys.now() });
  }
}
