/**
 * What a command prints to the session that runs it: no hook tells it once more, unless the recording of
 * the session lacks it, as where the host has moved the command to the background.
 *
 * @module
 */

import type { ClarificationRecord } from "../../clarify/schema.ts";
import { sys } from "../../sys/mod.ts";
import { lastWaiting } from "./delivery.ts";
import type { SessionFiles } from "./session_files.ts";

/** So much of an answer stands on one line, whatever the width. */
const MAX_MARK = 40;

/**
 * Notes it before it is printed.
 *
 * @param record whose last entry is printed
 * @param session as its host names it
 * @param files what is known of sessions
 * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
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
  const mark = JSON.stringify(line.slice(0, MAX_MARK).trim()).slice(1, -1); // as recordings have it
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
