// The refusals of the hub, besides those of the scope.

import { HUB, HUMAN, parseAgentName, roleOf } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import type { Workflow } from "../../config/workflow.ts";
import { knownAgent, unknownAgent } from "../../config/known_agent.ts";
import { decideCommand } from "../rules/escalation.ts";
import { invalidTransition } from "../rules/invalid_transition.ts";
import { describeRun, type RunState } from "../reach.ts";
import { type ClarificationRecord, issueNumberOf, lastEntry } from "../schema.ts";

/**
 * Checks that the role of a requester is known, and replaces its alias. Throws `INVALID_INPUT` for an unknown role and
 * for `human`.
 */
export function checkKnown(name: string, known: ReadonlySet<string>): string {
  const agent = parseAgentName(name);
  if (roleOf(agent) === HUMAN) throw unknownAgent(agent, { field: "from", known });
  return knownAgent(agent, { field: "from", known });
}

/** Throws `INVALID_INPUT` if neither the workspace nor the workflow knows the target. This does not check the scope. */
export function checkTarget(to: string, known: ReadonlySet<string>, { steps }: Workflow): void {
  const isNamed = steps.some(({ canClarify }) => canClarify.includes(roleOf(to)));
  if (!isNamed) knownAgent(to, { field: "to", known });
}

/** Refuses an action in the name of the hub: the hub has all rights, so no agent may use its name. */
export function refuseHub(record: ClarificationRecord, action: string, by: string): void {
  if (by !== HUB) return;
  const why = `${HUB} is the hub itself, and nobody acts as it`;
  throw invalidTransition(
    record,
    action,
    why,
    "Act as its requester, as its target, or as a human",
  );
}

/** The error for a question to the human in the name of the hub. */
export function nobodyActsAsHub(agent: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot ask as "${agent}": ${HUB} is the hub itself, and nobody acts as it`,
    { details: { field: "from", value: agent }, next: "Ask as the agent that works on the issue" },
  );
}

/** The error for a follow-up after all rounds are used, with all that a human needs to decide. */
export function maxRoundsExceeded(
  record: ClarificationRecord,
): AgentxError<"MAX_ROUNDS_EXCEEDED"> {
  const { id, maxRounds } = record;
  const summary = lastEntry(record, "escalation")?.body;
  return new AgentxError(
    "MAX_ROUNDS_EXCEEDED",
    `Cannot ask again in ${id}: its ${maxRounds} rounds are used, and it is escalated`,
    {
      details: { clarificationId: id, rounds: maxRounds },
      next: `${summary}\nDecide it with: ${decideCommand(record)}`,
    },
  );
}

/** The error for a question after all turns are used. A human has to decide `waiting` first. */
export function turnsUsed(
  { id, to }: Pick<ClarificationRecord, "id" | "to">,
  { maxTurns, waiting }: { maxTurns: number; waiting: ClarificationRecord },
): AgentxError<"GATE_REFUSED"> {
  const issueNumber = issueNumberOf(waiting.id);
  const why = `the limit of ${maxTurns} turns of agents on one issue is reached`;
  const state = waiting.id === id
    ? `It is escalated as ${id}`
    : `Nothing was asked; ${waiting.id} waits for a human`;
  return new AgentxError("GATE_REFUSED", `Cannot ask ${to} about issue #${issueNumber}: ${why}`, {
    details: { gate: "turns", issueNumber, reasons: [why] },
    next: `${state}; deciding it allows as many again: ${decideCommand(waiting)}\n` +
      "The limit is the setting clarify.maxTurns",
  });
}

/** The error for a run that another process has already begun. */
export function beingRun(
  record: ClarificationRecord,
  run: RunState,
  nowMs: number,
): AgentxError<"INVALID_TRANSITION"> {
  const { id } = record;
  const next =
    `Wait with: agentx clarify wait ${id}; or escalate it: agentx clarify escalate ${id}`;
  return invalidTransition(record, "retry", describeRun(run, nowMs), next);
}

/** The error for a run that would exceed a limit. */
export function tooManyRuns(
  agent: string,
  { issueNumber, why }: { issueNumber: number; why: string },
): AgentxError<"GATE_REFUSED"> {
  return new AgentxError("GATE_REFUSED", `Cannot run ${agent} for issue #${issueNumber}: ${why}`, {
    details: { gate: "runs", issueNumber, reasons: [why] },
    next: "Nothing was asked; answer what is open first, as listed by: agentx clarify",
  });
}

/** The error for an answer to a question that is no longer the last one. */
export function overtaken(
  record: ClarificationRecord,
  readRound: number | undefined,
): AgentxError<"INVALID_TRANSITION"> {
  const why = `its last question is that of round ${record.round}, not ${readRound}`;
  return invalidTransition(record, "answer", why, `Read it with: agentx clarify ${record.id}`);
}

/** The error for a second answer that no run asked for. */
export function answeredAlready(
  record: ClarificationRecord,
): AgentxError<"INVALID_TRANSITION"> {
  const next = `The requester asks again with: agentx ask ${record.id} QUESTION`;
  return invalidTransition(record, "answer", "it is answered already", next);
}
