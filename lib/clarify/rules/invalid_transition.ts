// The error for what cannot be done to a clarification as it stands. Pure.

import { AgentxError } from "../../base/errors.ts";
import type { ClarificationRecord } from "../schema.ts";

/** Makes the error: the attempted change, the reason against it, and the next step. */
export function invalidTransition(
  { id, status }: Pick<ClarificationRecord, "id" | "status">,
  action: string,
  why: string,
  next: string,
): AgentxError<"INVALID_TRANSITION"> {
  const details = { clarificationId: id, status, action };
  return new AgentxError("INVALID_TRANSITION", `Cannot ${action} ${id}: ${why}`, { details, next });
}
