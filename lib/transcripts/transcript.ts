// The common shape of recorded sessions of all coding agents.

/** All formats, as `--format` names them. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[] = [
  "claude",
  "codex",
  "gemini",
  "copilot",
  "opencode",
  "pi",
  "aider",
  "markdown",
];

/** The format of the recording. */
export type TranscriptFormat =
  | "claude"
  | "codex"
  | "gemini"
  | "copilot"
  | "opencode"
  | "pi"
  | "aider"
  | "markdown";

/** A message, or the result of a tool. */
export interface TranscriptMessage {
  /** `system` is what neither a person, the agent nor a tool said: summaries, notices of the host. */
  role: "user" | "assistant" | "tool" | "system";
  /** As recorded, without additions of the host or the toolkit. */
  text: string;
  /** The name of the tool, if known. */
  tool?: string;
  /** The command line behind this result, if known. */
  command?: string;
  /** Set where the agent kept a note in memory by this call. */
  isNote?: boolean;
  /** ISO-8601, if known. */
  timestamp?: string;
}

/** A recorded session. */
export interface Transcript {
  /** The format of the recording. */
  format: TranscriptFormat;
  /** The session id of the host; null if the recording has none. */
  sessionId: string | null;
  /** In chronological order. */
  messages: TranscriptMessage[];
  /** Recalled memory in the recording, which was removed from the messages. */
  recalled: string[];
  /** The problems of reading, one sentence each. */
  problems: string[];
}
