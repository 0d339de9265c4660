/**
 * The hosts that can be set up. Pure.
 *
 * @module
 */

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

/** A program in which agents work. */
export type HostName = typeof HOST_NAMES[number];
