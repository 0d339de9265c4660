// What the gate refuses.

import type { Origin } from "../base/origin.ts";
import { AgentxError } from "../base/errors.ts";
import { type GateRefusal, NO_FINDINGS } from "./conditions.ts";
import type { GateInteraction } from "./interaction.ts";
import type { GateRequest } from "./request.ts";

/** The error for a question that does not meet the four conditions. */
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

/** A human's action, by its outcome. */
const VERBS = { human: "answer", declined: "decline", cancelled: "close" } as const;

/** The error for an answer to a question that has ended for good. */
export function notPending(
  { id, status, outcome, user_response: said }: GateInteraction,
  wanted: keyof typeof VERBS,
): AgentxError<"INVALID_TRANSITION"> {
  const why = outcome === "human"
    ? `a human has answered it (${said})`
    : outcome === "timeout"
    ? "its time is up, and only an answer can replace the fallback"
    : `a human has ${outcome === "cancelled" ? "closed" : outcome} it, and that is final`;
  return transition(id, status, VERBS[wanted], why);
}

/** The error for a decision about security that nobody was seen to make. */
export function notVerified(
  { id, status }: GateInteraction,
  wanted: keyof typeof VERBS,
): AgentxError<"INVALID_TRANSITION"> {
  const why = "a decision about security is made by a human at a terminal, and there is none here";
  return transition(id, status, VERBS[wanted], why, `${OWN_TERMINAL}: agentx answer ${id} ...`);
}

const OWN_TERMINAL = "Run it in your own terminal, one that no agent has started";

/** The error for an agent that wants to answer for the human. */
export function onlyHumans(
  id: string,
  { action, session }: { action: string; session: string | undefined },
): AgentxError<"INVALID_TRANSITION"> {
  const place = session === undefined ? "CI" : `an agent's session, since ${session}`;
  const why = `only a human can, and this is ${place}`;
  return transition(id, "pending", action, why, OWN_TERMINAL);
}

/** The error for an answer that is not a standing one. */
export function nothingToTakeBack(
  { id, status }: GateInteraction,
): AgentxError<"INVALID_TRANSITION"> {
  return transition(id, status, "take back", "it has no standing answer");
}

/** Throws `GATE_REFUSED` where an answer may not be a standing one. */
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

/** The error for an assumption that nobody made. */
export function unknownAssumption(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such assumption`, {
    details: { kind: "assumption", id },
    next: "List them with: agentx assumptions",
  });
}

/** The error for a file of the gate that others may have written. */
export function cameWithRepository(path: string): AgentxError<"UNTRUSTED"> {
  const reason = "it came from elsewhere, so anyone may have written it";
  return new AgentxError("UNTRUSTED", `Cannot use "${path}": ${reason}`, {
    details: { path, reason },
    next:
      "Read it first; if it is yours, use: agentx doctor --fix where git tracks it, or agentx adopt",
  });
}

/** Throws `UNTRUSTED` for a file that came with the repository: nobody here was asked, or confirmed it. */
export function checkOwn(path: string, origin: Origin): void {
  if (origin.isTracked(path)) throw cameWithRepository(path);
}

/** The error for a change of something that has ended. */
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
