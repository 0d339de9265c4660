// The four conditions for a question to the human (seed 004, "Four Strict Conditions"): one of three types of
// blockers, evidence that everything else was tried, the quota, and the planning phase. Pure.

import { normalizeTopic } from "../text/topic.ts";
import { type GateInteraction, isSecurity } from "./interaction.ts";
import { type Evidence, type GateRequest, oneLine } from "./request.ts";

export interface GateRefusal {
  /**
   * For programs: `blocker_type`, `evidence_empty:FIELD`, `evidence_copied:FIELD`, `quota_session`,
   * `quota_project`, `not_planning` or `never_ask`.
   */
  reason: string;
  /** For people: the words after "Cannot ask the human: ". */
  why: string;
}

/** The settings for topics (seed 004, "User Preferences"). */
export interface TopicSettings {
  /** Topics on which a human is asked in every phase and session, with or without a blocker. */
  alwaysAsk: readonly string[];
  /** Topics that an agent decides. */
  neverAsk: readonly string[];
}

/** Returns the setting that applies to a topic; null if none does. A security decision is never left to an agent. */
export function topicRule(
  { topic, blockerType }: Pick<GateRequest, "topic" | "blockerType">,
  { alwaysAsk, neverAsk }: TopicSettings,
): "always_ask" | "never_ask" | null {
  const meets = (names: readonly string[]) => names.some((name) => isAbout(topic, name));
  if (meets(alwaysAsk)) return "always_ask";
  return !isSecurity({ blockerType }) && meets(neverAsk) ? "never_ask" : null;
}

/** Whether the topic contains the words of the name next to each other. */
function isAbout(topic: string, name: string): boolean {
  const wanted = normalizeTopic(name);
  return wanted !== "" && ` ${wordsIn(topic)} `.includes(` ${wordsIn(wanted)} `);
}

function wordsIn(text: string): string {
  return normalizeTopic(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}

/**
 * Returns the unmet conditions that can be checked from the request alone. `execution` says why the issue is past
 * planning, and `complex` why the issue needs an investigator's findings.
 */
export function refusalsOf(
  request: GateRequest,
  { rule, execution, complex }: {
    rule: ReturnType<typeof topicRule>;
    execution?: string;
    complex?: string;
  },
): GateRefusal[] {
  const evidence = evidenceRefusals(request, complex);
  if (rule === "always_ask") return evidence;
  return [
    ...rule === "never_ask"
      ? [{ reason: "never_ask", why: "gate.neverAsk lists this topic, so you decide it" }]
      : [],
    ...request.blockerType === "none"
      ? [{ reason: "blocker_type", why: "the blocker type is not one of the three" }]
      : [],
    ...evidence,
    ...phaseRefusals(request, execution),
  ];
}

/**
 * Returns the unmet conditions that depend on earlier questions. The caller must hold the lock that guards the
 * write, and must have ended the overdue questions of `before`.
 */
export function quotaRefusals(
  request: GateRequest,
  before: readonly GateInteraction[],
  rule: ReturnType<typeof topicRule>,
): GateRefusal[] {
  const active = before.find(({ status }) => status === "pending");
  const asked = before.find((one) =>
    one.standing === null && one.request.session === request.session
  );
  return [
    ...active === undefined
      ? []
      : [{ reason: "quota_project", why: `${active.id} is waiting for an answer` }],
    ...asked === undefined || rule === "always_ask"
      ? []
      : [{ reason: "quota_session", why: `this session has asked already (${asked.id})` }],
  ];
}

/** The reason code for a question about a complex issue without an investigator's findings. */
export const NO_FINDINGS = "evidence_empty:investigator";

const FIELDS = ["codebaseSearch", "similarFeatures", "attemptedInference", "investigator"] as const;

/** Texts that mean "nothing", and placeholders of the block's template. */
const PLACEHOLDER = /^(?:n\/?a|none|nothing|tbd|todo|unknown|no|\[.*\]|\{.*\}|<.*>|\P{L}*)$/iu;

function evidenceRefusals(
  { issue, evidence, question, options, fallback }: GateRequest,
  complex: string | undefined,
): GateRefusal[] {
  const others = [question, fallback.reasoning, ...options.map(({ text }) => text)];
  const seen = new Set(others.map(comparable));
  return FIELDS.flatMap((field) => {
    const text = evidence[field];
    if (text === null) {
      if (complex === undefined) return [];
      const why = `the evidence lacks ${NAMES[field]}, and #${issue} is complex: ${complex}`;
      return [{ reason: NO_FINDINGS, why }];
    }
    if (PLACEHOLDER.test(oneLine(text))) {
      return [{ reason: `evidence_empty:${field}`, why: `the evidence lacks ${NAMES[field]}` }];
    }
    const isCopied = seen.has(comparable(text));
    seen.add(comparable(text));
    if (!isCopied) return [];
    const why = `${NAMES[field]} repeats another part of the request`;
    return [{ reason: `evidence_copied:${field}`, why }];
  });
}

const NAMES: Record<keyof Evidence, string> = {
  codebaseSearch: "what was searched in the codebase",
  similarFeatures: "which similar features were examined",
  attemptedInference: "what was inferred",
  investigator: "what the investigator found",
};

/** Returns a text in a form for comparison. Texts with equal forms differ only in case, spaces and punctuation. */
function comparable(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function phaseRefusals({ phase }: GateRequest, execution: string | undefined): GateRefusal[] {
  const why = phase !== "planning"
    ? "this is not the planning phase"
    : execution && `the planning is over, since ${execution}`;
  return why === undefined ? [] : [{ reason: "not_planning", why }];
}
