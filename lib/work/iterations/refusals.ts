// What the loop of an issue refuses. Pure.

import { AgentxError } from "../../base/errors.ts";
import type { LoopState } from "./loop_state.ts";

/** The error for an action that the loop does not allow now. */
export function refused(loop: LoopState, action: string, why: string): AgentxError<"GATE_REFUSED"> {
  const { issueNumber, status } = loop;
  const next = status === "active"
    ? `End it with: agentx loop complete ${issueNumber}; or continue with --extended`
    : `Start another one with: agentx loop start ${issueNumber}`;
  return new AgentxError("GATE_REFUSED", `Cannot ${action} the loop of #${issueNumber}: ${why}`, {
    details: { gate: "loop", issueNumber, reasons: [why] },
    next,
  });
}

/** The error for work that may not be handed over. */
export function shut(issueNumber: number, why: string, verb: string): AgentxError<"GATE_REFUSED"> {
  return new AgentxError("GATE_REFUSED", `Cannot hand over #${issueNumber}: ${why}`, {
    details: { gate: "loop", issueNumber, reasons: [why] },
    next: `Continue with: agentx loop ${verb} ${issueNumber}`,
  });
}

/** The error for an issue without a loop. */
export function neverStarted(issueNumber: number): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find a loop for #${issueNumber}: none was started`, {
    details: { kind: "loop", id: String(issueNumber) },
    next: `Start it with: agentx loop start ${issueNumber}`,
  });
}
