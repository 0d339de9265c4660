/**
 * Answers that a command or a tool gives to the session of an agent that called it.
 *
 * @module
 */

import { type Environment, hostSessionId } from "../../agents/host_session.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { AgentxError } from "../../errors.ts";
import type { FileLockManager } from "../../lock/lock_manager.ts";

/**
 * Notes that an answer is about to be given. A failure costs nothing but a repetition.
 *
 * @param env that shows the session
 * @param state where sessions are known
 * @param record whose answer it is; null where there is none
 */
export async function noteForSession(
  env: Environment,
  { root, locks }: { root: string; locks: FileLockManager },
  record: ClarificationRecord | null,
): Promise<void> {
  const session = hostSessionId(env);
  if (session === undefined || record === null) return;
  const [{ notePrinted }, { SessionFiles }] = await Promise.all([
    import("./printed.ts"),
    import("./session_files.ts"),
  ]);
  try {
    await notePrinted(record, session, new SessionFiles(`${root}/.agentx`, () => locks));
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error; // else a hook may say it once more
  }
}
