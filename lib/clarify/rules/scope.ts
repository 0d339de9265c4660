// The scope that a workflow gives to its steps: which agents may be asked, how often, and whether a question may block
// (SPEC-1 sections 4.5 and 6.1). Pure.

import { roleOf } from "../../base/agent_names.ts";
import { DEFAULT_SLA_MINUTES, type Workflow } from "../../config/workflow.ts";
import { AgentxError } from "../../base/errors.ts";
import { invalidInput } from "../../base/input_checks.ts";

export interface ClarificationScope {
  canClarify: string[];
  /** Number of rounds before escalation, for a blocking and for a non-blocking clarification. */
  maxRounds: { blocking: number; nonBlocking: number };
  /** Minutes until an unanswered question is stale. */
  slaMinutes: number;
  /** Whether the requester may stop its work until the question is answered. */
  blockingAllowed: boolean;
}

/** A question to check against the scope. */
export interface ScopeRequest {
  from: string;
  to: string;
  blocking: boolean;
}

const DEFAULT_MAX_ROUNDS = { blocking: 5, nonBlocking: 6 };

/**
 * Returns the scope of a requester. Several steps of the same agent give the union of their targets and the largest of
 * their limits. The scope has no targets if no step lets the agent ask.
 */
export function scopeOf(workflow: Workflow, from: string): ClarificationScope {
  const steps = workflow.steps.filter(({ agent, canClarify }) =>
    agent === roleOf(from) && canClarify.length > 0
  );
  const largest = (fallback: number) =>
    Math.max(1, ...steps.map(({ clarifyMaxRounds }) => clarifyMaxRounds ?? fallback));
  return {
    canClarify: [...new Set(steps.flatMap(({ canClarify }) => canClarify))],
    maxRounds: {
      blocking: largest(DEFAULT_MAX_ROUNDS.blocking),
      nonBlocking: largest(DEFAULT_MAX_ROUNDS.nonBlocking),
    },
    slaMinutes: steps.length === 0
      ? DEFAULT_SLA_MINUTES // for a follow-up under another workflow
      : Math.max(...steps.map(({ clarifySlaMinutes }) => clarifySlaMinutes)),
    blockingAllowed: steps.some(({ clarifyBlockingAllowed }) => clarifyBlockingAllowed),
  };
}

/** Throws `SCOPE_VIOLATION`, with the agents that may be asked, if a request is outside of the scope. */
export function checkScope(scope: ClarificationScope, request: ScopeRequest): void {
  const { from, to, blocking } = request;
  const allowed = scope.canClarify;
  const refuse = (why: string, next: string) => {
    const summary = `Cannot ask ${to} as ${from}: ${why}`;
    return new AgentxError("SCOPE_VIOLATION", summary, { details: { from, to, allowed }, next });
  };
  if (to === from || to === roleOf(from)) {
    throw refuse("an agent cannot ask itself", "Ask another agent, or work with what you have");
  }
  if (allowed.length === 0) {
    throw refuse(
      `no step of ${roleOf(from)} in this workflow may ask anybody`,
      "Add can_clarify to the step, or name another workflow with --workflow",
    );
  }
  if (!allowed.includes(roleOf(to))) {
    throw refuse(
      `it may ask ${allowed.join(", ")}`,
      "Ask one of them, or add the agent to can_clarify of the workflow's step",
    );
  }
  if (blocking && !scope.blockingAllowed) {
    throw refuse(
      "its step allows only questions that do not block",
      "Ask with --non-blocking and keep working",
    );
  }
}

/** Throws `INVALID_INPUT` if a request asks for more rounds than the workflow allows, or for less than 1. */
export function checkMaxRounds(maxRounds: number, limit: number): number {
  if (Number.isInteger(maxRounds) && maxRounds >= 1 && maxRounds <= limit) return maxRounds;
  const next = "The workflow sets the limit; a request may only lower it";
  throw invalidInput("max-rounds", maxRounds, `it must be a whole number from 1 to ${limit}`, next);
}
