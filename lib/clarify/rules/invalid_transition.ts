// The error for an action that the current state of a clarification does not allow. Pure.

import { AgentxError } from "../../base/errors.ts";
import type { ClarificationRecord } from "../schema.ts";

/** Returns the error, with the attempted action, the reason against it, and the next step. */
export function invalidTransition(
  { id, status }: Pick<ClarificationRecord, "id" | "status">,
  action: string,
  why: string,
  next: string,
): AgentxError<"INVALID_TRANSITION"> {
  const details = { clarificationId: id, status, action };
  return new AgentxError("INVALID_TRANSITION", `Cannot ${action} ${id}: ${why}`, { details, next });
}
