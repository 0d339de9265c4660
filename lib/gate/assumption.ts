// Decisions without certain knowledge: records of `assumptions_made` with the six fields of seed 004 and additional
// fields. Pure.

import { isObject, isText, objectOf } from "../base/checks.ts";
import { isoTime } from "../base/time.ts";
import type { GateInteraction } from "./interaction.ts";
import { claimOf, relationOf } from "../memory/last_word.ts";
import { normalizeTopic } from "../text/topic.ts";
import { GATE_VERSION } from "./gate_file.ts";
import type { Level } from "./request.ts";

/** The source of an assumption if the agent names none. */
export const INFERRED = "inferred";

export type AssumptionStatus = "open" | "confirmed" | "reverted" | "superseded";

/** A decision that an agent inferred, or the outcome of a question to the human. */
export interface Assumption {
  decision: string;
  /** The type of the blocker, or `none` if the decision was inferred. */
  blocker_type: string;
  /** The source of the answer: `inferred_...`, `timeout_assumed`, or the human's words. */
  user_response: string;
  reasoning: string;
  /** The agent's confidence; `high` for a human's answer. */
  confidence: Level;
  /** The risk of a wrong assumption: a level and the price of a change. */
  risk_if_wrong: string;
  id: string;
  agent: string;
  issue: number;
  /** The `uid` of the issue; absent if it is not known. */
  issueUid?: string;
  /** The question to the human that led to the assumption, such as `ASK-001`; null if nobody was asked. */
  clarificationId: string | null;
  /** ISO-8601, UTC. */
  created: string;
  status: AssumptionStatus;
  /** The assumption that replaced this one; null if none did. */
  supersededBy: string | null;
  /** Why a human confirmed or reverted the assumption; null if the human gave no reason. */
  because: string | null;
  /** The observation made from the assumption; null if there is none. */
  observation: string | null;
}

/** `state/assumptions.json`. */
export interface AssumptionFile {
  version: 1;
  /** The assumptions, the oldest first. */
  assumptions_made: Assumption[];
  /** The highest id given so far, recorded when an assumption is taken back; absent if none was. */
  lastId?: string;
}

/**
 * Adds the assumptions that follow from the outcomes of all questions, in place. Returns the added and the replaced
 * assumptions. Assumptions that exist already are not added again, so a second pass after a kill is safe.
 */
export function followOutcomes(
  own: Assumption[],
  all: readonly GateInteraction[],
  nextOne: () => string,
): Assumption[] {
  return all.flatMap((one) => {
    const replaced = all.filter(({ supersededBy }) => supersededBy === one.id);
    const ids = new Set([one, ...replaced].map(({ id }) => id));
    return outcomesOf(one).flatMap((outcome) => follow(own, one, outcome, { ids, nextOne }));
  });
}

/** Whether {@linkcode followOutcomes} would add an assumption. */
export function hasToFollow(
  all: readonly Assumption[],
  interactions: readonly GateInteraction[],
): boolean {
  return interactions.some((one) => outcomesOf(one).some((outcome) => !isThere(all, one, outcome)));
}

/** The assumption that follows from one outcome. */
type Outcome = Pick<
  Assumption,
  "decision" | "user_response" | "reasoning" | "confidence" | "risk_if_wrong" | "created" | "status"
>;

function outcomesOf(one: GateInteraction): Outcome[] {
  const { request, outcome, superseded, decision, user_response, resolved_at: created } = one;
  if (outcome === null) return [];
  const { question, evidence, fallback } = request;
  const taken = (text: string, at: string, response: string): Outcome => ({
    decision: `${question} ${text}`,
    user_response: response,
    reasoning: fallback.reasoning,
    confidence: fallback.confidence,
    risk_if_wrong: fallback.risk,
    created: at,
    status: "open",
  });
  const earlier = superseded === null
    ? []
    : [taken(superseded.decision.text, superseded.resolved_at, "timeout_assumed")];
  if (outcome !== "human") {
    return [...earlier, taken(decision?.text ?? "Undecided", created!, user_response!)];
  }
  return [...earlier, {
    decision: `${question} ${decision!.text}`,
    user_response: user_response!,
    reasoning: `Asked the human, since it could not be inferred: ${evidence.attemptedInference}`,
    confidence: "high",
    risk_if_wrong: "low - explicit user confirmation",
    created: created!,
    status: "confirmed",
  }];
}

function isThere(all: readonly Assumption[], { id }: GateInteraction, outcome: Outcome): boolean {
  return all.some(({ clarificationId, user_response: said }) =>
    clarificationId === id && said === outcome.user_response
  );
}

function follow(
  all: Assumption[],
  one: GateInteraction,
  outcome: Outcome,
  { ids, nextOne }: { ids: ReadonlySet<string | null>; nextOne: () => string },
): Assumption[] {
  if (isThere(all, one, outcome)) return [];
  const { agent, issue, blockerType } = one.request;
  const replaced = all.filter(({ clarificationId, supersededBy }) =>
    ids.has(clarificationId) && supersededBy === null
  );
  const { decision, ...rest } = outcome;
  const fresh: Assumption = {
    decision,
    blocker_type: blockerType,
    ...rest,
    id: nextOne(),
    agent,
    issue,
    clarificationId: one.id,
    supersededBy: null,
    because: null,
    observation: null,
  };
  for (const old of replaced) Object.assign(old, { status: "superseded", supersededBy: fresh.id });
  all.push(fresh);
  return [...replaced, fresh];
}

/** Returns the kind of an assumption: its blocker, or else its source. Assumptions without a source have no kind. */
export function assumptionKind(
  { blocker_type, user_response }: Pick<Assumption, "blocker_type" | "user_response">,
): string | null {
  if (blocker_type !== "none") return blocker_type;
  return user_response === INFERRED ? null : normalizeTopic(user_response);
}

/**
 * Returns a sentence that says how many assumptions of a kind were wrong, with the latest one; undefined if none was.
 */
export function lessonOf(kind: string | null, all: readonly Assumption[]): string | undefined {
  const alike = all.filter((one) => kind !== null && assumptionKind(one) === kind);
  const byId = new Map(all.map((one) => [one.id, one]));
  const wrong = alike.filter(({ status, decision, supersededBy }) => {
    const later = byId.get(supersededBy ?? "");
    return status === "reverted" || later?.status === "confirmed" && later.decision !== decision;
  });
  const last = wrong.at(-1);
  if (last === undefined) return undefined;
  const why = last.because === null ? "" : ` (${last.because})`;
  return `${wrong.length} of ${alike.length} earlier assumptions of this kind (${kind}) proved wrong, ` +
    `such as ${last.id}: ${last.decision}${why}`;
}

/** Returns the confirmed assumptions of the same issue that contradict a confirmed assumption. */
export function contradicting(one: Assumption, all: readonly Assumption[]): Assumption[] {
  if (one.status !== "confirmed") return [];
  return all.filter((other) => {
    if (other === one || other.status !== "confirmed" || other.issue !== one.issue) return false;
    const [later, earlier] = one.created < other.created ? [other, one] : [one, other];
    const relation = relationOf(claimOf(later.decision), claimOf(earlier.decision));
    return relation === "unsure" || relation === "replaced";
  });
}

/**
 * Completes the records of a program that follows only the documents: seed 004 has six fields, without an issue and
 * without a time.
 */
export function completed(file: unknown): unknown {
  if (!isObject(file) || file.version !== undefined || !Array.isArray(file.assumptions_made)) {
    return file;
  }
  const assumptions_made = file.assumptions_made.map((one, index) => ({
    id: `ASM-${String(index + 1).padStart(3, "0")}`,
    agent: "product-manager",
    issue: 0,
    clarificationId: null,
    created: isoTime(0),
    status: "open",
    supersededBy: null,
    because: null,
    observation: null,
    ...objectOf(one),
  }));
  return { version: GATE_VERSION, ...file, assumptions_made };
}

const STATUSES = ["open", "confirmed", "reverted", "superseded"];

/** Whether a value can be used as an assumption. */
export function isAssumption(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, issue, created, clarificationId, observation, supersededBy } = value;
  const texts = [value.decision, value.blocker_type, value.user_response, value.reasoning];
  return /^ASM-[0-9]{3,9}$/.test(String(id)) && Number.isSafeInteger(issue) &&
    [...texts, value.confidence, value.risk_if_wrong, value.agent].every(isText) &&
    isText(created) && STATUSES.includes(value.status as string) &&
    [clarificationId, observation, supersededBy].every((each) => each === null || isText(each));
}
