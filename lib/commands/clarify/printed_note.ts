/**
 * Answers that a command prints inside the session of an agent.
 *
 * @module
 */

import { hostSessionId } from "../../agents/host_session.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { AgentxError } from "../../errors.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/**
 * Notes that an answer is about to be printed. A failure costs nothing but a repetition.
 *
 * @param context of the command
 * @param state where sessions are known
 * @param record that is printed; null where none is
 */
export async function noteForSession(
  { io }: Context,
  { root, locks }: Pick<WorkspaceState, "root" | "locks">,
  record: ClarificationRecord | null,
): Promise<void> {
  const session = hostSessionId(io.env);
  if (session === undefined || record === null) return;
  const [{ notePrinted }, { SessionFiles }] = await Promise.all([
    import("../../hosts/hook/printed.ts"),
    import("../../hosts/hook/session_files.ts"),
  ]);
  try {
    await notePrinted(record, session, new SessionFiles(`${root}/.agentx`, () => locks));
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error; // else a hook may say it once more
  }
}
