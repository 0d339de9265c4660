// The common shape of recorded sessions of all coding agents.

/** All formats, in the names that `--format` takes. */
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

/** The format of a recording. */
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
  /** Who said it. `system` stands for text of nobody, such as summaries and notices of the host. */
  role: "user" | "assistant" | "tool" | "system";
  /** The recorded text, without additions of the host or of agentx. */
  text: string;
  /** The name of the tool, if known. */
  tool?: string;
  /** The command line that produced this result, if known. */
  command?: string;
  /** True if the agent kept a note in memory with this call. */
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
  /** Recalled memory that was removed from the messages. */
  recalled: string[];
  /** Problems while reading, one sentence each. */
  problems: string[];
}
