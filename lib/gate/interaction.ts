// One question to the human, from asking to its end: a record of `agent_interactions` with the five fields of seed
// 004 and additional fields. Pure.

import { normalizeTopic } from "../text/topic.ts";
import { isoTime } from "../base/time.ts";
import { type GateOption, type GateRequest, optionLabelled } from "./request.ts";

export type GateOutcome = "human" | "timeout" | "declined" | "cancelled";

/** The decision that ends a question. */
export interface GateDecision {
  /** The label of the option; null if a human decided in other words. */
  label: string | null;
  text: string;
}

/** The process at the terminal where a human is answering. */
export interface Answerer {
  pid: number;
  /** When the process started; null if that is not known. */
  start: string | null;
  host: string;
  /** ISO-8601, UTC: when the human began to answer. */
  since: string;
}

export interface GateInteraction {
  id: string;
  /** The name that seed 004 gives this kind of request. */
  request_type: "pm_clarification";
  /** The status by seed 004; declined and closed questions are `resolved` too. */
  status: "pending" | "resolved" | "timeout";
  /** The text of the block that the human reads. */
  content: string;
  /** The human's reply, in the words of seed 004; null while the question is pending. */
  user_response: string | null;
  /** ISO-8601, UTC: when the question ended; null while it is pending. */
  resolved_at: string | null;
  /** ISO-8601, UTC. */
  created: string;
  /** ISO-8601, UTC: when the fallback is taken; null if it never is. */
  deadline: string | null;
  request: GateRequest;
  /** How the question ended; null while it is pending. */
  outcome: GateOutcome | null;
  /** The decision; null while the question is pending, and if nothing may be assumed. */
  decision: GateDecision | null;
  /** Whether a human typed the answer at a terminal; null without a human's answer. */
  verified: boolean | null;
  /** The account of a human who decided elsewhere, such as on GitHub; absent otherwise. */
  login?: string;
  /** The question with the standing answer that ended this one; null if no standing answer did. */
  standing: string | null;
  /** Whether the answer also applies to later questions of the same kind. */
  always: boolean;
  /** The fallback that a late answer replaced; null if none was replaced. */
  superseded: { decision: GateDecision; resolved_at: string } | null;
  /** A human's earlier decision on the same question; null if there is none. */
  earlier: { id: string; decision: GateDecision } | null;
  /** The later question that decided the same matter again; null if none did. */
  supersededBy: string | null;
  /** Whether the caller runs the agent again with the outcome. Then the caller also clears the state. */
  orchestrated: boolean;
  /** The tool call that asked the question; null if it was asked otherwise. */
  callId: string | null;
  /** The process that stopped the countdown; null while the countdown runs. */
  heldBy: Answerer | null;
  /** ISO-8601, UTC: when the outcome was delivered to the agent; null if that has not happened. */
  toldAt: string | null;
}

/** A human's action on a question. */
export interface HumanDecision {
  /** A label, or other words; null if the human declines or closes the question. */
  answer: string | null;
  outcome: Exclude<GateOutcome, "timeout">;
  verified: boolean;
  always: boolean;
  /** The account of a human at another machine. */
  login?: string;
}

/** The words with which seed 004 records that nobody answered. */
const NOBODY_ANSWERED = "timeout_assumed";

/** Returns a new question that waits for an answer. */
export function newInteraction(
  request: GateRequest,
  { id, content, nowMs, deadlineMs, orchestrated, callId, before }: {
    id: string;
    content: string;
    nowMs: number;
    deadlineMs: number | null;
    orchestrated: boolean;
    callId: string | null;
    before: readonly GateInteraction[];
  },
): GateInteraction {
  const earlier = before.findLast((one) =>
    one.outcome === "human" && !one.supersededBy && isSameQuestion(one.request, request)
  );
  return {
    id,
    request_type: "pm_clarification",
    status: "pending",
    content,
    user_response: null,
    resolved_at: null,
    created: isoTime(nowMs),
    deadline: deadlineMs === null ? null : isoTime(deadlineMs),
    request,
    outcome: null,
    decision: null,
    verified: null,
    standing: null,
    always: false,
    superseded: null,
    earlier: earlier === undefined ? null : { id: earlier.id, decision: earlier.decision! },
    supersededBy: null,
    orchestrated,
    callId,
    heldBy: null,
    toldAt: null,
  };
}

/**
 * Whether a request is a decision about security. Such a decision waits for a verified human, even if the agent calls
 * its risk low.
 */
export function isSecurity({ blockerType }: Pick<GateRequest, "blockerType">): boolean {
  return blockerType === "security_decision";
}

/** Whether a question has an outcome that was not delivered to the agent. */
export function isUndelivered({ outcome, toldAt }: GateInteraction): boolean {
  return outcome !== null && (toldAt ?? null) === null; // files of older versions lack this key
}

/** Returns the option that is taken without an answer. */
function fallbackOf({ options, fallback }: GateRequest): GateOption {
  return options.find(({ label }) => label === fallback.option)!;
}

/** Ends a question by a human's action, in place. Throws `INVALID_INPUT` for a label that is not offered. */
export function endByHuman(
  interaction: GateInteraction,
  { answer, outcome, verified, always, login }: HumanDecision,
  nowMs: number,
): void {
  const { request } = interaction;
  const isLate = interaction.status === "timeout";
  const option = answer === null ? undefined : optionLabelled(request.options, answer);
  const said = answer === null ? null : option ?? { label: null, text: answer };
  if (isLate) {
    const { decision, resolved_at } = interaction;
    interaction.superseded = { decision: decision!, resolved_at: resolved_at! };
    interaction.toldAt = null; // the agent only knows the fallback
  }
  Object.assign(interaction, {
    status: "resolved",
    outcome,
    user_response: said === null ? outcome : responseOf(said),
    decision: said ?? (isSecurity(request) ? null : fallbackOf(request)),
    resolved_at: isoTime(nowMs),
    verified,
    ...login !== undefined && { login },
    always,
    heldBy: null,
  });
}

/** Ends a question without an answer in time, in place. The time of the outcome is the deadline. */
export function endByTimeout(interaction: GateInteraction): void {
  Object.assign(interaction, {
    status: "timeout",
    outcome: "timeout",
    user_response: NOBODY_ANSWERED,
    decision: fallbackOf(interaction.request),
    resolved_at: interaction.deadline,
    heldBy: null,
  });
}

/** Ends a question by the standing answer to a question of the same kind, in place. */
export function endByStandingAnswer(
  interaction: GateInteraction,
  rule: GateInteraction,
  nowMs: number,
): void {
  const option = optionLabelled(interaction.request.options, rule.decision!.label!)!;
  Object.assign(interaction, {
    status: "resolved",
    outcome: "human",
    user_response: `Standing answer of ${rule.id}: option (${option.label}): ${option.text}`,
    decision: option,
    resolved_at: isoTime(nowMs),
    verified: rule.verified,
    standing: rule.id,
  });
}

/** Records in earlier decisions on the same question that this decision replaced them, in place. */
export function supersedeOthers(one: GateInteraction, all: readonly GateInteraction[]): void {
  if (one.decision === null) return;
  one.supersededBy = null;
  for (const other of all) {
    const isDecided = other !== one && other.decision !== null && !other.supersededBy;
    const isOutranked = one.outcome === "human" || other.outcome !== "human";
    if (isDecided && isOutranked && isSameQuestion(other.request, one.request)) {
      other.supersededBy = one.id;
    }
  }
}

/** Whether two requests have the same question, apart from case and spaces, on one topic of one issue. */
function isSameQuestion(one: GateRequest, other: GateRequest): boolean {
  return one.issue === other.issue && normalizeTopic(one.topic) === normalizeTopic(other.topic) &&
    normalizeTopic(one.question) === normalizeTopic(other.question);
}

/** Resumes the countdown, in place. The deadline moves by the time for which the countdown was stopped. */
export function release(interaction: GateInteraction, nowMs: number): void {
  const { heldBy, deadline } = interaction;
  if (heldBy === null) return;
  interaction.heldBy = null;
  if (deadline === null) return;
  const heldMs = Math.max(0, nowMs - Date.parse(heldBy.since));
  interaction.deadline = isoTime(Date.parse(deadline) + heldMs);
}

/** Whether the deadline of a question has passed and nobody is answering it. */
export function isPastDeadline(
  { status, deadline, heldBy }: GateInteraction,
  nowMs: number,
  isAlive: (answerer: Answerer) => boolean,
): boolean {
  return status === "pending" && deadline !== null && Date.parse(deadline) <= nowMs &&
    (heldBy === null || !isAlive(heldBy));
}

/** Returns the question with a standing answer to a request. A security decision never gets a standing answer. */
export function standingAnswerFor(
  request: GateRequest,
  before: readonly GateInteraction[],
): GateInteraction | undefined {
  if (isSecurity(request)) return undefined;
  const kind = kindOf(request);
  return before.findLast(({ always, request }) => always && kindOf(request) === kind);
}

/** Returns the kind of a question. Questions of one kind have the same blocker, topic and options. */
function kindOf({ blockerType, topic, options }: GateRequest): string {
  return JSON.stringify([blockerType, normalizeTopic(topic), options.map(({ text }) => text)]);
}

/** Returns the text for `user_response`, in the words of seed 004. */
function responseOf({ label, text }: GateDecision): string {
  return label === null ? `User said: ${text}` : `User confirmed option (${label}): ${text}`;
}
