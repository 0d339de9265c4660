// Records answers that a command or a tool prints to the session that runs it. No hook delivers these answers again,
// unless the session's recording lacks them, for example because the host has moved the command to the background.

import { AgentxError } from "../base/errors.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { sys } from "../sys/mod.ts";
import { type Environment, hostSessionId } from "../who/host_session.ts";
import { lastWaiting } from "./delivery.ts";
import { SessionFiles } from "./session_files.ts";

/** The maximum length of a mark. A mark this short is on one line at any width. */
const MAX_MARK = 40;

/**
 * Records, before an answer is printed, that the last entry of a thread is delivered to a session. Throws
 * `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function notePrinted(
  record: ClarificationRecord,
  session: string,
  files: SessionFiles,
): Promise<void> {
  const waiting = lastWaiting(record);
  if (waiting?.kind !== "answer") return;
  const { id } = waiting;
  const [line] = record.thread.at(-1)!.body.trim().split("\n", 1);
  const mark = JSON.stringify(line.slice(0, MAX_MARK).trim()).slice(1, -1); // as in recordings
  const at = new Date(sys.now()).toISOString();
  const start = sys.processSpace()?.start ?? null;
  const offer = { at, event: "printed", pid: sys.pid, start, putOut: true };
  await files.update({ session }, ({ deliveries }) => {
    const known = deliveries.find((delivery) => delivery.id === id);
    if (known === undefined) {
      deliveries.push({ id, mark, isPrinted: true, offers: [offer], shownAt: null, proof: null });
    } else if (known.shownAt === null) known.offers.push(offer);
  });
}

/**
 * Like {@linkcode notePrinted}, for the session of the caller if there is one. After a failure, the answer is only
 * delivered once more.
 */
export async function noteForSession(
  env: Environment,
  { root, locks }: { root: string; locks: FileLockManager },
  record: ClarificationRecord | null,
): Promise<void> {
  const session = hostSessionId(env);
  if (session === undefined || record === null) return;
  try {
    await notePrinted(record, session, new SessionFiles(`${root}/.agentx`, () => locks));
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error; // a hook may deliver the answer again
  }
}
