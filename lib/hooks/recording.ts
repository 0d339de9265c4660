// Reads the present state of a session, above all its recording, which is searched for the marks of deliveries.

import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import type { Recording, Seen } from "./delivery.ts";

/** Only this many bytes at the end of a recording are searched, because recent deliveries are at the end. */
const MAX_BYTES = 4 * 1024 * 1024;

const NONE: Recording = { isThere: false, modifiedMs: 0, has: () => false };

/**
 * Returns the state of a session at an event. The recording is read by its path, or it is the text that the host
 * sends.
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
    const path = sys.realPath(transcript); // a link at this path is the user's own
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
    if (hasCode(error, "IO_ERROR")) return NONE; // an unreadable recording proves nothing
    throw error;
  }
}
