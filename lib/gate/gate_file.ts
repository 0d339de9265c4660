// The format of the gate's files on disk, with a version. Files of other programs are refused. Pure.

import { isObject, isText, isTime, type JsonObject } from "../base/checks.ts";
import { checkVersion, nestingProblem } from "../base/input_checks.ts";
import type { GateInteraction } from "./interaction.ts";

/** The state of the orchestrator (seed 004, "New Fields in `orchestrator_state`"). */
export interface OrchestratorState {
  /** Whether an answer is awaited, or was not yet given to the agent. */
  clarification_pending: boolean;
  /** ISO-8601, UTC; null before the first question. */
  clarification_requested_at: string | null;
  /** The phase of the planning. */
  phase: "planning" | "awaiting_clarification" | "planning_complete";
}

/** `state/agent-interactions.json`. */
export interface InteractionFile {
  version: 1;
  orchestrator_state: OrchestratorState;
  /** The questions, the oldest first. */
  agent_interactions: GateInteraction[];
  /** The highest id given so far, recorded when a question is taken back; absent if none was. */
  lastId?: string;
  /** Questions that came from elsewhere. The file has no such key: the reader separates them from its list. */
  foreign?: GateInteraction[];
}

/** The version that is written into all files of the gate. */
export const GATE_VERSION = 1;

/** Returns the content of a file that does not exist yet. */
export function newInteractionFile(): InteractionFile {
  return {
    version: GATE_VERSION,
    orchestrator_state: {
      clarification_pending: false,
      clarification_requested_at: null,
      phase: "planning",
    },
    agent_interactions: [],
  };
}

/** Returns a function that checks the content of a file. That function returns the problem, or undefined. */
export function problemIn(
  path: string,
  list: string,
  isElement: (value: unknown) => boolean,
): (value: unknown) => string | undefined {
  return (value) => {
    if (!isObject(value)) return "it must be an object";
    const { version, [list]: elements } = value;
    checkVersion(value, path, GATE_VERSION);
    if (version !== GATE_VERSION) return `it must say version ${GATE_VERSION}`;
    if (!Array.isArray(elements) || !elements.every(isElement)) {
      return `${list} must hold records as agentx writes them`;
    }
    return nestingProblem(value);
  };
}

const OUTCOMES = [null, "human", "timeout", "declined", "cancelled"];
const STATUSES = ["pending", "resolved", "timeout"];

/** Returns a function that checks the file of questions, as {@linkcode problemIn} does. */
export function problemInInteractions(path: string): (value: unknown) => string | undefined {
  const problemWith = problemIn(path, "agent_interactions", isInteraction);
  return (value) => {
    const problem = problemWith(value);
    if (problem !== undefined) return problem;
    return isObject(value) && isObject(value.orchestrator_state)
      ? undefined
      : "orchestrator_state must be an object";
  };
}

/** Whether a value is a question. Fields that some versions of this format do not write may be missing. */
function isInteraction(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, status, outcome, created, deadline, request, content, standing } = value;
  return isAskId(id) && isText(content) &&
    STATUSES.includes(status as string) && OUTCOMES.includes(outcome as string | null) &&
    (status === "pending") === (outcome === null) &&
    isTime(created) && isNullOr(isTime, deadline) && isRequest(request) &&
    isNullOr(isText, standing) && isNullOr(isText, value.toldAt ?? null) &&
    isNullOr(isAnswerer, value.heldBy) && isNullOr(isSuperseded, value.superseded) &&
    isNullOr(isEarlier, value.earlier ?? null) && isNullOr(isAskId, value.supersededBy ?? null) &&
    (status === "pending" ? value.decision === null : isEnd(value)) && isRule(value);
}

function isAskId(value: unknown): boolean {
  return typeof value === "string" && /^ASK-[0-9]{3,9}$/.test(value);
}

/** Whether the end of a question is valid. Only a human can end a question without a decision. */
function isEnd({ outcome, decision, resolved_at, user_response }: JsonObject): boolean {
  const isUndecided = decision === null && (outcome === "declined" || outcome === "cancelled");
  return isTime(resolved_at) && isText(user_response) && (isUndecided || isOption(decision));
}

/** Whether `always` is valid. A standing answer must be one of the options. */
function isRule({ always, decision }: JsonObject): boolean {
  return always === false || always === true && isObject(decision) && isText(decision.label);
}

function isSuperseded(value: unknown): boolean {
  return isObject(value) && isOption(value.decision) && isTime(value.resolved_at);
}

function isEarlier(value: unknown): boolean {
  return isObject(value) && isAskId(value.id) && isOption(value.decision);
}

function isAnswerer(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value.pid) && isText(value.host) &&
    isNullOr(isText, value.start) && isTime(value.since);
}

function isRequest(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { agent, issue, session, topic, evidence, question, options, fallback } = value;
  return [agent, session, topic, question, value.blockerType].every(isText) &&
    Number.isSafeInteger(issue) && isEvidence(evidence) && isObject(fallback) &&
    [fallback.option, fallback.reasoning, fallback.risk, fallback.confidence].every(isText) &&
    Array.isArray(options) && options.every((one) => isOption(one) && isText(one.label)) &&
    options.some(({ label }) => label === fallback.option);
}

function isEvidence(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { codebaseSearch, similarFeatures, attemptedInference, investigator } = value;
  return [codebaseSearch, similarFeatures, attemptedInference].every(isText) &&
    isNullOr(isText, investigator);
}

function isOption(value: unknown): value is JsonObject {
  return isObject(value) && isText(value.text) && isNullOr(isText, value.label);
}

function isNullOr(is: (value: unknown) => boolean, value: unknown): boolean {
  return value === null || is(value);
}
