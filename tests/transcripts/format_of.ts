/**
 * The formats in which hosts record their sessions.
 *
 * @module
 */

import type { HostName } from "../../lib/hosts/hosts.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "../../lib/transcripts/transcript.ts";

/** @returns the format, as `--format` names it; undefined where none is read */
export function formatOf(host: HostName): TranscriptFormat | undefined {
  const name = host === "qwen" ? "gemini" : host; // Qwen Code is made of Gemini CLI
  return TRANSCRIPT_FORMATS.find((format) => format === name);
}
