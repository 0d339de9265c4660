// What each host sends to a hook and takes from it: its events and an encoder, in one table.
//
// An answer has the documented fields of its host and no others: a field that one host ignores makes another
// drop the whole answer. The contracts were read out of Claude Code 2.1.197, Codex 0.169.0, Gemini CLI
// 0.61.0 and Copilot CLI 1.0.102; those of Cursor and VS Code are from their documentation. What a plugin
// of opencode sends and takes is our own. Pure.

import type { JsonObject } from "../base/checks.ts";

/** When a hook is called, in our words; `permission` while the host asks its human whether a tool may run. */
export type Occasion = "start" | "prompt" | "tool" | "permission" | "stop" | "end";

/** What a hook answers: text for the model, or why the agent may not stop. */
export type Answer = { context: string } | { block: string };

/** Programs in which coding agents run, as the command line names them, in the order in which they are shown. */
export const HOST_NAMES = [
  "claude",
  "codex",
  "copilot",
  "gemini",
  "opencode",
  "vscode",
  "cursor",
] as const;

/** A program in which coding agents run. */
export type HostName = typeof HOST_NAMES[number];

/** Whether a text names a host. */
export function isHost(name: string): name is HostName {
  return (HOST_NAMES as readonly string[]).includes(name);
}

/** How a command ended, as far as its host says it. */
export interface CommandEnd {
  command: string;
  exitCode: number | null;
  durationMs: number | null;
}

/** What a host sent, in our words. */
export interface HookCall {
  /** The id that the host gives it. */
  session: string;
  /** The folder of the session; undefined where the host does not say. */
  cwd: string | undefined;
  /** The path of the session's recording; undefined where there is none. */
  transcript: string | undefined;
  /** The recording itself, where the host keeps no file of it; undefined otherwise. */
  recording: string | undefined;
  /** Distinguishes this event from others of its kind in the session, as far as the host allows. */
  turn: string;
  /** What its human asks; undefined where that is not what it is about. */
  prompt: string | undefined;
  /** Whether the agent continues already because a hook asked it to. */
  isContinued: boolean;
  /** Whether the user or an error ended the turn: the agent is not asked to continue. */
  isBrokenOff: boolean;
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
  /** What its human is asked to permit; undefined where that is not what it is about. */
  permission: string | undefined;
}

/** How a host calls hooks. */
export interface HookHost {
  /** The events that agentx answers. */
  events: Readonly<Record<string, Occasion>>;
  /** Exit code of a failure that the host ignores. */
  failureCode: 0 | 1;
  /** What is printed without an answer. */
  silence: "" | "{}";
  /** Occasions at which an answer reaches the model. */
  hears: readonly Occasion[];
  /** The unit of {@linkcode MAX_ANSWER}. */
  sizeOf: Measure;
  /**
   * The path of a session's recording, for a host that does not send it; undefined without a home. Such a host
   * does not wait for its last hook either, and may still be writing.
   */
  recordingOf?: (session: string, env: (name: string) => string | undefined) => string | undefined;
  /** The object that the host takes. */
  encode(event: string, answer: Answer): JsonObject;
}

/**
 * The longest answer that reaches the model whole, in the unit of its host. Claude Code makes a file of 10,000
 * UTF-16 units, and the model sees 2 KB of it; Codex counts 10,000 bytes, and cuts out the middle.
 */
export const MAX_ANSWER = 9_000;

/** Measures a text in the unit in which a host limits it. */
export type Measure = (text: string) => number;

export const inUnits: Measure = (text) => text.length;
const inBytes: Measure = (text) => new TextEncoder().encode(text).length;

const ALL: readonly Occasion[] = ["start", "prompt", "tool", "stop"];

const CLAUDE_EVENTS: Readonly<Record<string, Occasion>> = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  PermissionRequest: "permission",
  PostToolUse: "tool",
  Stop: "stop",
  SessionEnd: "end",
};

/** Every host with its contract. */
export const HOSTS: Readonly<Record<HostName, HookHost>> = {
  claude: {
    events: { ...CLAUDE_EVENTS, PostToolUseFailure: "tool" },
    failureCode: 1,
    silence: "",
    hears: ALL,
    sizeOf: inUnits,
    encode: decisionOrContext,
  },
  codex: {
    events: CLAUDE_EVENTS,
    failureCode: 1,
    silence: "",
    hears: ALL,
    sizeOf: inBytes,
    encode: decisionOrContext,
  },
  copilot: {
    events: {
      sessionStart: "start",
      userPromptSubmitted: "prompt",
      postToolUse: "tool",
      agentStop: "stop",
      sessionEnd: "end",
    },
    failureCode: 0, // a failing hook blocks the action of some of its events
    silence: "",
    hears: ["start", "stop"],
    sizeOf: inUnits,
    recordingOf(session, env) {
      const home = env("COPILOT_HOME") || (env("HOME") && `${env("HOME")}/.copilot`);
      return home && `${home}/session-state/${session}/events.jsonl`;
    },
    encode: (_, answer) =>
      "block" in answer
        ? { decision: "block", reason: answer.block }
        : { additionalContext: answer.context },
  },
  gemini: {
    events: {
      SessionStart: "start",
      BeforeAgent: "prompt",
      AfterTool: "tool",
      AfterAgent: "stop",
      SessionEnd: "end",
    },
    failureCode: 1,
    silence: "{}",
    hears: ALL,
    sizeOf: inUnits,
    encode: (event, answer) =>
      "block" in answer
        ? { decision: "deny", reason: answer.block }
        : specific(event, { additionalContext: answer.context }),
  },
  cursor: {
    events: {
      sessionStart: "start",
      beforeSubmitPrompt: "prompt",
      postToolUse: "tool",
      stop: "stop",
      sessionEnd: "end",
    },
    failureCode: 1,
    silence: "{}",
    hears: ["start", "tool", "stop"],
    sizeOf: inUnits,
    encode: (_, answer) =>
      "block" in answer
        ? { followup_message: answer.block }
        : { additional_context: answer.context },
  },
  vscode: {
    events: {
      SessionStart: "start",
      UserPromptSubmit: "prompt",
      PostToolUse: "tool",
      Stop: "stop",
    },
    failureCode: 1,
    silence: "",
    hears: ["start", "tool", "stop"],
    sizeOf: inUnits,
    encode: (event, answer) =>
      specific(
        event,
        "block" in answer
          ? { decision: "block", reason: answer.block }
          : { additionalContext: answer.context },
      ),
  },
  opencode: {
    events: {
      "session.created": "start",
      "chat.message": "prompt",
      "tool.execute.after": "tool",
      "session.idle": "stop",
      dispose: "end",
      "session.deleted": "end",
    },
    failureCode: 0,
    silence: "{}",
    hears: ["start", "stop"], // delivered while it works, it is wedged
    sizeOf: inUnits,
    encode: (_, answer) =>
      "block" in answer ? { prompt: answer.block } : { context: answer.context },
  },
};

/**
 * Copilot and VS Code also run the hooks of Claude Code, with a timestamp in the payload, and take answers
 * in their own forms: Copilot 1.0.102 was seen to ignore the form of Claude Code.
 */
const BORROWED: HookHost = {
  ...HOSTS.claude,
  failureCode: 0,
  hears: ["start", "stop"],
  recordingOf: HOSTS.copilot.recordingOf,
  encode: (event, answer) => ({
    ...HOSTS.copilot.encode(event, answer),
    ...HOSTS.vscode.encode(event, answer),
  }),
};

/** The contract of the host that called a hook, which may be another one than that of the hook. */
export function callerOf(name: HostName, { hasTime }: HookCall): HookHost {
  return name === "claude" && hasTime ? BORROWED : HOSTS[name];
}

function decisionOrContext(event: string, answer: Answer): JsonObject {
  return "block" in answer
    ? { decision: "block", reason: answer.block }
    : specific(event, { additionalContext: answer.context });
}

function specific(event: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}
