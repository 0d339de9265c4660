/**
 * What can be seen of a session: above all what its host has recorded so far, looked through for the marks
 * of what it was given.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import type { Recording, Seen } from "./delivery.ts";

/** What was given lately stands near the end. */
const MAX_BYTES = 4 * 1024 * 1024;

const NONE: Recording = { isThere: false, modifiedMs: 0, has: () => false };

/**
 * @param event tells what happens in the session from other events
 * @param transcript where the host says that its recording is; undefined where it does not say
 * @param text what the recording holds, where the host hands that over
 * @returns what can be seen of it now
 */
export function seenNow(event: string, transcript: string | undefined, text?: string): Seen {
  const nowMs = sys.now();
  return {
    event,
    at: new Date(nowMs).toISOString(),
    nowMs,
    pid: sys.pid,
    recording: text === undefined
      ? recordingAt(transcript)
      : { isThere: true, modifiedMs: nowMs, has: (mark) => text.includes(mark) },
    isAlive({ pid, start }) {
      const now = sys.processStart(pid);
      return now === undefined || start === null || now === start;
    },
  };
}

function recordingAt(transcript: string | undefined): Recording {
  if (transcript === undefined) return NONE;
  try {
    const path = sys.realPath(transcript); // a link there is the user's own
    const info = path === undefined ? undefined : sys.lstat(path);
    if (path === undefined || info?.kind !== "file") return NONE;
    let text: string | undefined;
    const read = () => {
      const part = sys.readPart(path, Math.max(0, info.size - MAX_BYTES), MAX_BYTES);
      return new TextDecoder().decode(part?.bytes);
    };
    return {
      isThere: true,
      modifiedMs: info.modifiedMs,
      has: (mark) => (text ??= read()).includes(mark),
    };
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return NONE; // it proves nothing
    throw error;
  }
}
