// Where an outbox is. Apart from the outbox itself, so that a list need not load that.

import { AgentxError } from "../../base/errors.ts";

/** Names the folder where the worktree of a session cannot be written. */
export const OUTBOX_VARIABLE = "AGENTX_OUTBOX";

export function outboxFolder(tree: string): string {
  return `${tree}/.agentx/outbox`;
}

/**
 * The folder that the variable names, if it is set; throws `INVALID_INPUT` for a relative path,
 * which would be another folder for the runner.
 */
export function namedOutbox(value: string | undefined): string | undefined {
  if (!value || value.startsWith("/")) return value || undefined;
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot use ${OUTBOX_VARIABLE}: "${value}" is not an absolute path`,
    {
      details: { field: OUTBOX_VARIABLE, value },
      next: "Set it to an absolute path, the same for the session and for agentx serve",
    },
  );
}

/** The key under which a runner shows that it has taken a request. */
export function requestRunKey(nonce: string): string {
  return `outbox-${nonce}`;
}
