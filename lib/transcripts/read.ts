// Reads a recorded session of any supported agent.

import { AgentxError } from "../base/errors.ts";
import { refuseBinary } from "./binary.ts";
import { readAider } from "./formats/aider.ts";
import { readClaude } from "./formats/claude.ts";
import { readCodex } from "./formats/codex.ts";
import { readCopilot } from "./formats/copilot.ts";
import { readGemini } from "./formats/gemini.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readOpencode } from "./formats/opencode.ts";
import { readPi } from "./formats/pi.ts";
import { recogniseFormat } from "./recognise.ts";
import { type Transcript, TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

/** The only problem of an empty recording. */
export const NO_MESSAGES = "The transcript has no messages";

export interface ReadTranscriptOptions {
  format?: TranscriptFormat;
}

const READERS: Record<TranscriptFormat, (text: string) => Transcript> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  copilot: readCopilot,
  opencode: readOpencode,
  pi: readPi,
  aider: readAider,
  markdown: readMarkdown,
};

/**
 * Reads a session of Claude Code, Codex, Gemini CLI, Copilot, opencode, pi or aider, or a chat in markdown, without
 * recalled memory and text that the host added. Lines that are unknown, damaged or incomplete are left out and
 * reported. Takes linear time. Throws `INVALID_INPUT` for a binary file, an unknown format, or JSON that is not a
 * session.
 */
export function readTranscript(text: string, options: ReadTranscriptOptions = {}): Transcript {
  refuseBinary(text);
  const whole = text.startsWith("\ufeff") ? text.slice(1) : text;
  const format = options.format ?? recogniseFormat(whole);
  if (!TRANSCRIPT_FORMATS.includes(format)) {
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot read a transcript as "${format}": unknown format`,
      {
        details: { field: "format", value: format },
        next: `Use one of: ${TRANSCRIPT_FORMATS.join(", ")}`,
      },
    );
  }
  const transcript = READERS[format](whole);
  if (transcript.messages.length === 0 && transcript.problems.length === 0) {
    transcript.problems.push(NO_MESSAGES);
  }
  return transcript;
}
