/**
 * What a recorded session of any coding agent is read into.
 *
 * @module
 */

/** The format of the recording. */
export type TranscriptFormat = "claude" | "codex" | "gemini" | "copilot" | "aider" | "markdown";

/** All formats, as `--format` names them. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[] = [
  "claude",
  "codex",
  "gemini",
  "copilot",
  "aider",
  "markdown",
];

/** One thing that was said, or one result of a tool. */
export interface TranscriptMessage {
  /** `system` is what neither a person, the agent nor a tool said: summaries, notices of the host. */
  role: "user" | "assistant" | "tool" | "system";
  /** As recorded, without what the host or the toolkit put into it. */
  text: string;
  /** The name of the tool, where it is known. */
  tool?: string;
  /** ISO-8601, where it is known. */
  timestamp?: string;
}

/** A recorded session. */
export interface Transcript {
  /** The format of the recording. */
  format: TranscriptFormat;
  /** As the host calls it; null where the recording does not say. */
  sessionId: string | null;
  /** In the order in which they were said. */
  messages: TranscriptMessage[];
  /** Recalled memory that was found in the recording and left out of the messages. */
  recalled: string[];
  /** What could not be read, one sentence each. */
  problems: string[];
}
