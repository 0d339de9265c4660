/**
 * A question to the human that meets the four conditions: example 3 of seed 004.
 *
 * @module
 */

import type { Assumption } from "../../lib/gate/assumption.ts";
import type { GateQuestion } from "../../lib/gate/request.ts";

/** For the library. */
export const STRIPE: GateQuestion = {
  agent: "product-manager",
  issue: 42,
  session: "s1",
  phase: "planning",
  blockerType: "missing_external_data",
  evidence: {
    codebaseSearch: "No Stripe API keys in config/, .env files, or secrets/",
    similarFeatures: "No existing payment integrations found",
    attemptedInference: "Cannot determine if test mode or production credentials needed",
  },
  question: "Which Stripe environment should I configure?",
  options: [
    "Test mode (use Stripe test API keys for development/staging)",
    "Production mode (use production API keys)",
    "Both (configurable via environment variable)",
  ],
  fallback: {
    option: "a",
    reasoning: "it's safer for development and won't process real payments",
    confidence: "medium",
    risk: "low - test mode won't affect production, easy to switch later",
  },
};

/** The same as the arguments of the tool `ask_user` of the loop, with two options. */
export const TOOL_INPUT = {
  phase: "planning",
  blocker_type: STRIPE.blockerType,
  codebase_search: STRIPE.evidence.codebaseSearch,
  similar_features: STRIPE.evidence.similarFeatures,
  attempted_inference: STRIPE.evidence.attemptedInference,
  question: STRIPE.question,
  option_a: STRIPE.options[0],
  option_b: STRIPE.options[1],
  fallback: "a",
  because: STRIPE.fallback.reasoning,
  confidence: "medium",
  risk: "low - easy to switch later",
};

/** The same as flags of `agentx ask human`; undefined leaves one out. */
export function askWords(changes: Record<string, string | undefined> = {}): string[] {
  const { question, ...flags }: Record<string, string | undefined> = {
    from: "pm",
    issue: "42",
    session: "s1",
    phase: STRIPE.phase,
    "blocker-type": STRIPE.blockerType,
    "codebase-search": STRIPE.evidence.codebaseSearch,
    "similar-features": STRIPE.evidence.similarFeatures,
    "attempted-inference": STRIPE.evidence.attemptedInference,
    fallback: "a",
    because: STRIPE.fallback.reasoning,
    confidence: "medium",
    risk: STRIPE.fallback.risk,
    question: STRIPE.question,
    ...changes,
  };
  return [
    "ask-user",
    ...Object.entries(flags).flatMap(([flag, value]) =>
      value === undefined ? [] : [`--${flag}`, value]
    ),
    ...STRIPE.options.flatMap((option) => ["--option", option]),
    ...question === undefined ? [] : [question],
  ];
}

/** A decision about security for which there is no safe default. */
export const DANGEROUS: Record<string, string> = {
  "blocker-type": "security_decision",
  risk: "high - personal data would leak",
};

/** What an engineer assumed of issue 42. */
export function sampleAssumption(changes: Partial<Assumption> = {}): Assumption {
  return {
    decision: "JWT for authentication",
    blocker_type: "none",
    user_response: "inferred",
    reasoning: "Read from the code",
    confidence: "high",
    risk_if_wrong: "low",
    id: "ASM-001",
    agent: "engineer",
    issue: 42,
    clarificationId: null,
    created: "2026-02-25T12:00:00.000Z",
    status: "open",
    supersededBy: null,
    because: null,
    observation: null,
    ...changes,
  };
}
