// The calls that a host sends to a hook, in a common form, and the form of a hook's answers. `lib/hosts/` has a file
// with the contract of each host. Pure.

import { type HostName, HOSTS } from "../hosts/hosts.ts";
import type { HookHost } from "../hosts/host.ts";

/** The answer of a hook: text for the model, or the reason why the agent may not stop. */
export type Answer = { context: string } | { block: string };

/** How a command ended, as far as its host states it. */
export interface CommandEnd {
  command: string;
  exitCode: number | null;
  durationMs: number | null;
}

/** The call of a host, in a common form for all hosts. */
export interface HookCall {
  /** The id that the host gives the session. */
  session: string;
  /** The folder of the session; undefined if the host does not state it. */
  cwd: string | undefined;
  /** The path of the session's recording, if there is one. */
  transcript: string | undefined;
  /** The recording itself if the host keeps no file of it; otherwise undefined. */
  recording: string | undefined;
  /** Distinguishes this event from others of its kind in the session, as far as the host allows. */
  turn: string;
  /** The human's prompt; undefined if the event is not about one. */
  prompt: string | undefined;
  /** Whether the agent continues already because a hook asked it to. */
  isContinued: boolean;
  /** Whether the user or an error ended the turn. In this case the agent is not asked to continue. */
  isBrokenOff: boolean;
  /** Whether a subagent still runs: its result starts another turn, so the agent has not stopped for good. */
  isWaiting: boolean;
  /** Whether the event is about a subagent of the session. */
  isSubagent: boolean;
  /** Whether the payload has a timestamp. */
  hasTime: boolean;
  /** The clarifications with answers that the tool has just shown, as `clarify_ask` and `clarify_list` do. */
  given: readonly string[];
  /** The agent that the host names; undefined if the host names none. */
  agent: string | undefined;
  /** The command that the tool has run; undefined if the tool ran none. */
  ended: CommandEnd | undefined;
  /** The files that the tool has changed, as the host names them. */
  changed: readonly string[];
  /** The permission that the human is asked for; undefined if the event is not about one. */
  permission: string | undefined;
}

/**
 * The contract of Copilot and VS Code when they run the hooks of Claude Code. Their payload has a timestamp, and
 * they take answers in their own forms: Copilot 1.0.102 was seen to ignore the form of Claude Code.
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

/** Returns the contract of the host that called a hook. It may be another host than that of the hook. */
export function callingHost(name: HostName, { hasTime }: HookCall): HookHost {
  return name === "claude" && hasTime ? BORROWED : HOSTS[name].hooks;
}
