// The hosts that can be set up. Pure.

/** The names of the hosts, in the order in which they are shown. */
export const HOST_NAMES = [
  "claude",
  "codex",
  "copilot",
  "gemini",
  "opencode",
  "vscode",
  "cursor",
] as const;

export type HostName = typeof HOST_NAMES[number];
