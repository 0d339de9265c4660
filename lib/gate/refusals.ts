// The errors with which the gate refuses a request.

import { AgentxError } from "../base/errors.ts";
import { type GateRefusal, NO_FINDINGS } from "./conditions.ts";
import type { GateInteraction } from "./interaction.ts";
import type { GateRequest } from "./request.ts";
import { OWN_TERMINAL } from "../who/surface.ts";

/** Returns the error for a question that does not meet the four conditions. */
export function gateRefused(
  { agent, issue }: Pick<GateRequest, "agent" | "issue">,
  refusals: readonly GateRefusal[],
): AgentxError<"GATE_REFUSED"> {
  const why = refusals.map((refusal) => refusal.why).join("; ");
  const reasons = refusals.map(({ reason }) => reason);
  const next = reasons.every((reason) => reason === NO_FINDINGS)
    ? `Have an investigator look, who only reads: agentx ask investigator --issue ${issue} ` +
      `--from ${agent} QUESTION; if it is still open, ask again with --investigator FINDINGS`
    : "Decide from the evidence, and record the decision with: " +
      `agentx assumptions add --issue ${issue} --from ${agent} ...`;
  return new AgentxError("GATE_REFUSED", `Cannot ask the human: ${why}`, {
    details: { gate: "human", issueNumber: issue, reasons },
    next,
  });
}

/** The verb for each action of a human, by its outcome. */
const VERBS = { human: "answer", declined: "decline", cancelled: "close" } as const;

/** Returns the error for an answer to a question that has ended for good. */
export function notPending(
  { id, status, outcome, user_response: said }: GateInteraction,
  wanted: keyof typeof VERBS,
): AgentxError<"INVALID_TRANSITION"> {
  const why = outcome === "human"
    ? `a human has answered it (${said})`
    : outcome === "timeout"
    ? "its time is up, and only an answer can replace the fallback"
    : `a human has ${outcome === "cancelled" ? "closed" : outcome} it, and that is final`;
  const next = outcome === "human"
    ? "Take that answer back first: agentx undo OP; agentx log --undoable names OP"
    : undefined;
  return transition(id, status, VERBS[wanted], why, next);
}

/** Returns the error for a security decision that was not verified to come from a human. */
export function notVerified(
  { id, status }: GateInteraction,
  wanted: keyof typeof VERBS,
): AgentxError<"INVALID_TRANSITION"> {
  const why = "a decision about security is made by a human at a terminal, and there is none here";
  return transition(id, status, VERBS[wanted], why, `${OWN_TERMINAL}: agentx answer ${id} ...`);
}

/** Returns the error for revoking an answer that is not a standing answer. */
export function nothingToTakeBack(
  { id, status }: GateInteraction,
): AgentxError<"INVALID_TRANSITION"> {
  return transition(id, status, "take back", "it has no standing answer");
}

/** Throws `GATE_REFUSED` if an answer must not become a standing answer. */
export function checkStandingAnswer({ id, request, decision }: GateInteraction): void {
  const [reason, why] = request.blockerType === "security_decision"
    ? ["standing_security", "a security decision is asked every time"]
    : decision?.label === null
    ? ["standing_text", "it is not one of the options"]
    : [];
  if (reason === undefined) return;
  throw new AgentxError("GATE_REFUSED", `Cannot reuse the answer to ${id}: ${why}`, {
    details: { gate: "human", issueNumber: request.issue, reasons: [reason] },
    next: "Answer without --always",
  });
}

export function unknownInteraction(
  id: string,
  all: readonly GateInteraction[],
): AgentxError<"NOT_FOUND"> {
  const open = all.find(({ status }) => status === "pending");
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such question to the human`, {
    details: { kind: "question", id },
    next: open === undefined ? "No question is open" : `${open.id} is waiting for an answer`,
  });
}

/** Returns the error for an unknown assumption. */
export function unknownAssumption(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such assumption`, {
    details: { kind: "assumption", id },
    next: "List them with: agentx assumptions",
  });
}

/** Returns the error for an action that the status of a question or assumption does not allow. */
export function transition(
  id: string,
  status: string,
  action: string,
  why: string,
  next?: string,
): AgentxError<"INVALID_TRANSITION"> {
  return new AgentxError("INVALID_TRANSITION", `Cannot ${action} ${id}: ${why}`, {
    details: { clarificationId: id, status, action },
    next,
  });
}
