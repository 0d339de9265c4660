/**
 * What a host has recorded of a session so far, looked through for the marks of what it was given.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import type { Recording } from "./delivery.ts";

/** What was given lately stands near the end. */
const MAX_BYTES = 4 * 1024 * 1024;

const NONE: Recording = { isThere: false, modifiedMs: 0, has: () => false };

/**
 * @param transcript where the host says it is; undefined where it does not say
 * @returns what can be seen of it
 */
export function recordingAt(transcript: string | undefined): Recording {
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
