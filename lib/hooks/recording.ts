// Reads the state of a session now: above all it searches the recording for the marks of deliveries.

import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import type { Recording, Seen } from "./delivery.ts";

/** Only the end is searched: recent deliveries are there. */
const MAX_BYTES = 4 * 1024 * 1024;

const NONE: Recording = { isThere: false, modifiedMs: 0, has: () => false };

/** Reads a recording by its path, or takes the text that the host sends instead. */
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
