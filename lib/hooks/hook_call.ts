// The calls that a host sends to a hook, in our words, and the form of its answers. The contracts are in `lib/hosts/`,
// a file for each host. Pure.

import { type HostName, HOSTS } from "../hosts/hosts.ts";
import type { HookHost } from "../hosts/host.ts";

/** The answer of a hook: text for the model, or the reason why the agent may not stop. */
export type Answer = { context: string } | { block: string };

/** How a command ended, as far as its host says it. */
export interface CommandEnd {
  command: string;
  exitCode: number | null;
  durationMs: number | null;
}

/** The call of a host, in our words. */
export interface HookCall {
  /** The id that the host gives it. */
  session: string;
  /** The folder of the session; undefined where the host does not say. */
  cwd: string | undefined;
  /** The path of the session's recording, if there is one. */
  transcript: string | undefined;
  /** The recording itself, where the host keeps no file of it; undefined otherwise. */
  recording: string | undefined;
  /** Distinguishes this event from others of its kind in the session, as far as the host allows. */
  turn: string;
  /** The human's prompt; undefined if the event is not about one. */
  prompt: string | undefined;
  /** Whether the agent continues already because a hook asked it to. */
  isContinued: boolean;
  /** Whether the user or an error ended the turn: the agent is not asked to continue. */
  isBrokenOff: boolean;
  /** Whether a subagent still runs: its result starts another turn, so the agent has not stopped for good. */
  isWaiting: boolean;
  /** Whether it is about a subagent of the session. */
  isSubagent: boolean;
  /** Whether the payload has a timestamp. */
  hasTime: boolean;
  /** The clarifications that the tool has just shown the answers of, as `clarify_ask` and `clarify_list` do. */
  given: readonly string[];
  /** The agent that the host names; undefined where it names none. */
  agent: string | undefined;
  /** The command that the tool has run; undefined where it ran none. */
  ended: CommandEnd | undefined;
  /** The files that the tool has changed, as the host names them. */
  changed: readonly string[];
  /** The permission that the human is asked for; undefined if the event is not about one. */
  permission: string | undefined;
}

/**
 * Copilot and VS Code also run the hooks of Claude Code, with a timestamp in the payload, and take answers
 * in their own forms: Copilot 1.0.102 was seen to ignore the form of Claude Code.
 */
const BORROWED: HookHost = {
  ...HOSTS.claude.hooks,
  failureCode: 0,
  hears: ["start", "stop"],
  recordingOf: HOSTS.copilot.hooks.recordingOf,
  context: (...answer) => ({
    ...HOSTS.copilot.hooks.context(...answer),
    ...HOSTS.vscode.hooks.context(...answer),
  }),
  block: (...answer) => ({
    ...HOSTS.copilot.hooks.block(...answer),
    ...HOSTS.vscode.hooks.block(...answer),
  }),
};

/** The contract of the host that called a hook, which may be another one than that of the hook. */
export function callingHost(name: HostName, { hasTime }: HookCall): HookHost {
  return name === "claude" && hasTime ? BORROWED : HOSTS[name].hooks;
}
