/**
 * Asking from a sandbox that may not write to the main checkout: a runner outside of it does so.
 *
 * @module
 */

import type { ClarificationOutcome } from "../../clarify/target.ts";
import type { Context } from "../../cli/command.ts";
import { note } from "../../cli/execute.ts";
import { showElapsed } from "../../cli/wait_note.ts";
import { hasCode } from "../../errors.ts";
import type { Workspace } from "../../workspace/open.ts";
import type { OutboxRequest } from "../../workspace/outbox/outbox.ts";

const REFUSED: readonly string[] = ["EROFS", "EACCES", "EPERM"];

/**
 * @param error what a question has met
 * @param workspace where it was asked
 * @returns whether this session may not write to the state of the workspace
 */
export function mayNotWrite(error: unknown, { root }: Workspace): boolean {
  return hasCode(error, "IO_ERROR") && REFUSED.includes(error.details.errno) &&
    error.details.path.startsWith(`${root}/.agentx/`);
}

/**
 * Asks through the outbox, and waits.
 *
 * @param context the streams, and what stops it
 * @param workspace where it is asked
 * @param request what is asked
 * @returns what became of it
 * @throws {AgentxError} `IO_ERROR` where no outbox can be written; `INTERRUPTED`; whatever the runner met
 */
export async function askOutside(
  { io, signal }: Pick<Context, "io" | "signal">,
  { root, tree, runs }: Workspace,
  request: OutboxRequest,
): Promise<ClarificationOutcome> {
  const { awaitReply, OUTBOX_VARIABLE, putRequest, removeRequest } = await import(
    "../../workspace/outbox/outbox.ts"
  );
  const folder = io.env(OUTBOX_VARIABLE) || `${tree}/.agentx/outbox`;
  const nonce = await putRequest(folder, request);
  note(io, `this session may not write to "${root}": it asks through "${folder}"`);
  if (!await runs.isServed("ask" in request ? request.ask.toAgent : "")) {
    note(io, `nobody takes it yet: start agentx serve in "${root}", outside of this sandbox`);
  }
  const hide = showElapsed(io, "agentx serve");
  let isTaken = false;
  try {
    const onTaken = (id: string) => {
      isTaken = true;
      note(io, `${id} is asked for this session`);
      note(io, `come back to it with: agentx clarify wait ${id}`);
    };
    return await awaitReply(folder, nonce, { onTaken, signal });
  } catch (error) {
    if (signal.aborted && !isTaken) {
      removeRequest(folder, nonce); // who asks again would be asked for twice
      note(io, "nobody had taken the question: it is withdrawn");
    }
    throw error;
  } finally {
    hide();
  }
}
